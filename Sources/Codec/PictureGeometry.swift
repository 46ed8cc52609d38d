import CamrigModel

/// Which pixels of a camera's picture are shown, and where: a `PictureSetting` for pictures of one size.
///
/// Pixels move in units, a JPEG's MCUs or the pairs that share a chroma sample. An edge that is no whole unit can only
/// stay at the right or at the bottom: where it would come to lie at the left or at the top, it is cut off. So mirroring
/// loses at most a unit less one pixel of the camera's right edge, turning by 180° of its right and bottom edge, by 90°
/// of its bottom edge, by 270° of its right edge. A part of the picture begins and ends at whole units.
package struct PictureGeometry: Hashable, Sendable {
  /// Of the camera's picture.
  package let source: PixelSize
  /// What is shown of it.
  package let columns: Range<Int>
  package let rows: Range<Int>
  /// Its columns come from right to left, its rows from the bottom up.
  package let reversesColumns: Bool
  package let reversesRows: Bool
  /// After that its columns become rows.
  package let swapsAxes: Bool
  /// Only a part is shown, beginning there in the turned picture.
  package let isPart: Bool
  package let x: Int
  package let y: Int

  /// What comes out.
  package var size: PixelSize {
    swapsAxes
      ? PixelSize(width: rows.count, height: columns.count) : PixelSize(width: columns.count, height: rows.count)
  }

  /// Nil: the picture is smaller than a unit.
  /// - Parameters:
  ///   - unit: pixels that move together.
  ///   - partUnit: where parts of the picture may begin and end; a multiple of `unit`.
  package init?(_ setting: PictureSetting, source: PixelSize, unit: PixelSize, partUnit: PixelSize? = nil) {
    let swaps = setting.rotation.swapsAxes
    let turnsColumns = setting.rotation == .half || setting.rotation == .threeQuarters
    let turnsRows = setting.rotation == .half || setting.rotation == .quarter
    // Left and right of what is seen are top and bottom of the camera's picture once that is turned by a quarter.
    reversesColumns = turnsColumns != (setting.mirror && !swaps)
    reversesRows = turnsRows != (setting.mirror && swaps)
    let partUnit = partUnit ?? unit
    let across = swaps ? setting.y : setting.x
    let down = swaps ? setting.x : setting.y
    guard
      let columns = Span(
        source.width, unit.width, partUnit.width, reversed: reversesColumns, setting.zoom, middle: across),
      let rows = Span(source.height, unit.height, partUnit.height, reversed: reversesRows, setting.zoom, middle: down)
    else { return nil }
    self.source = source
    self.columns = columns.source
    self.rows = rows.source
    swapsAxes = swaps
    isPart = setting.zoom > 1
    x = swaps ? rows.shownFrom : columns.shownFrom
    y = swaps ? columns.shownFrom : rows.shownFrom
  }
}

/// One axis of it.
private struct Span {
  /// In the camera's picture.
  let source: Range<Int>
  /// In the turned picture.
  let shownFrom: Int

  init?(_ length: Int, _ unit: Int, _ partUnit: Int, reversed: Bool, _ zoom: Double, middle: Double) {
    let whole = reversed ? length / unit * unit : length
    guard whole > 0 else { return nil }
    guard zoom > 1 else {
      source = 0..<whole
      shownFrom = 0
      return
    }
    let units = whole / partUnit
    guard units > 0 else { return nil }
    let shown = min(max(1, Int((Double(length) / zoom / Double(partUnit)).rounded())), units)
    let wanted = middle * Double(whole) / Double(partUnit) - Double(shown) / 2
    shownFrom = min(max(0, Int(wanted.rounded())), units - shown) * partUnit
    let from = reversed ? whole - shownFrom - shown * partUnit : shownFrom
    source = from..<(from + shown * partUnit)
  }
}
