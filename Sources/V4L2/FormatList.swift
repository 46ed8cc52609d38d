import CamrigModel

/// A device's formats, sizes and rates in order and without doubles, whatever the driver does: some list an entry
/// twice, some answer every index with the same entry for ever, some offer formats that nobody knows.
package enum FormatList {
  /// Entries of one list that are looked at.
  package static let most = 256
  /// A driver that repeats itself this often in a row does not count its index.
  static let mostRepeats = 16

  package static func read(_ source: some FormatSource) -> [FormatDescription] {
    let offered = distinct { index in source.format(at: index).map { Entry($0.fourcc, $0.label) } }
    let formats = offered.map { entry in
      FormatDescription(
        fourcc: entry.fourcc.description,
        label: entry.fourcc.pixelFormat == nil ? "\(entry.label) (unsupported, \(entry.fourcc.hex))" : entry.label,
        pixelFormat: entry.fourcc.pixelFormat,
        // A format that cannot be recorded needs no sizes, and its driver none of our questions.
        sizes: entry.fourcc.pixelFormat == nil ? [] : sizes(source, entry.fourcc))
    }
    return formats.enumerated().sorted { a, b in
      (rank(a.element), a.offset) < (rank(b.element), b.offset)
    }.map(\.element)
  }

  private struct Entry: Hashable {
    let fourcc: FourCC
    let label: String
    init(_ fourcc: FourCC, _ label: String) {
      self.fourcc = fourcc
      self.label = label
    }
    static func == (a: Entry, b: Entry) -> Bool { a.fourcc == b.fourcc }
    func hash(into hasher: inout Hasher) { hasher.combine(fourcc) }
  }

  private static func sizes(_ source: some FormatSource, _ fourcc: FourCC) -> [SizeDescription] {
    let offered = distinct { index in
      source.size(of: fourcc, at: index)
    } isLast: {
      if case .range = $0 { true } else { false }
    }
    let sizes = offered.compactMap { entry -> SizeDescription? in
      switch entry {
      case .discrete(let size):
        guard isPlausible(size) else { return nil }
        return describe(size, source, fourcc)
      case .range(let smallest, let largest, let step):
        guard isPlausible(smallest), isPlausible(largest), smallest.width <= largest.width,
          smallest.height <= largest.height
        else { return nil }
        var range = describe(largest, source, fourcc)
        if smallest != largest {
          range.smallest = smallest
          range.step = PixelSize(width: max(step.width, 1), height: max(step.height, 1))
        }
        return range
      }
    }
    return sizes.sorted { $1.size < $0.size }
  }

  private static func describe(_ size: PixelSize, _ source: some FormatSource, _ fourcc: FourCC) -> SizeDescription {
    let offered = distinct { index in
      source.rate(of: fourcc, size: size, at: index)
    } isLast: {
      if case .range = $0 { true } else { false }
    }
    if case .range(let fastest, let slowest)? = offered.first {
      return SizeDescription(
        size: size, rates: fastest == slowest ? [fastest] : [max(fastest, slowest), min(fastest, slowest)],
        ratesAreRange: fastest != slowest)
    }
    let rates = offered.compactMap { if case .discrete(let rate) = $0 { rate } else { nil } }
    return SizeDescription(size: size, rates: rates.sorted(by: >))
  }

  /// The entries of a list in its order, each once. A range is the only entry of its list by V4L2's rules.
  private static func distinct<T: Hashable>(
    _ entry: (Int) -> T?, isLast: (T) -> Bool = { _ in false }
  ) -> [T] {
    var found: [T] = []
    var seen: Set<T> = []
    var repeats = 0
    for index in 0..<most {
      guard let next = entry(index) else { break }
      if seen.insert(next).inserted {
        found.append(next)
        repeats = 0
      } else {
        repeats += 1
        if repeats == mostRepeats { break }
      }
      if isLast(next) { break }
    }
    return found
  }

  private static func isPlausible(_ size: PixelSize) -> Bool {
    (1...65535).contains(size.width) && (1...65535).contains(size.height)
  }

  private static func rank(_ format: FormatDescription) -> Int {
    format.pixelFormat.flatMap { PixelFormat.allCases.firstIndex(of: $0) } ?? PixelFormat.allCases.count
  }
}
