import CamrigModel

extension ControlDescription {
  /// Another value that it can have, as near as there is one: for drivers that take no notice of a value that they
  /// believe to have set. Nil: there is no other, or none that would go unseen.
  package func nearest(otherThan value: ControlValue) -> ControlValue? {
    switch type {
    case .boolean:
      guard case .bool(let on) = value else { return nil }
      return .bool(!on)
    case .menu, .integerMenu:
      guard let number = value.asNumber else { return nil }
      return items?.keys.sorted().first { $0 != number }.map { .number($0) }
    case .integer, .integer64:
      guard let number = value.asNumber, let minimum, let maximum else { return nil }
      let step = Int64(clamping: max(1, self.step ?? 1))
      let (above, isTooLarge) = number.addingReportingOverflow(step)
      if !isTooLarge, above <= maximum { return .number(above) }
      let (below, isTooSmall) = number.subtractingReportingOverflow(step)
      return !isTooSmall && below >= minimum ? .number(below) : nil
    case .bitmask, .string, .button, .unsupported: return nil
    }
  }
}
