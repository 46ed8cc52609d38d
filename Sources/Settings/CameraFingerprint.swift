/// What a camera's hardware says of itself, the same after every plugging.
package struct CameraFingerprint: Hashable, Codable, Sendable {
  /// USB's `idVendor` and `idProduct`, four hex digits; empty where there is no USB.
  package var vendor: String
  package var product: String
  /// As udev gives it (`ID_SERIAL_SHORT`); empty where there is none.
  package var serial: String
  /// The USB interface that captures, `00`.
  package var interface: String
  /// The driver's name for the camera: for people.
  package var card: String

  package init(
    vendor: String = "", product: String = "", serial: String = "", interface: String = "", card: String = ""
  ) {
    self.vendor = vendor
    self.product = product
    self.serial = serial
    self.interface = interface
    self.card = card
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    vendor = try container.decodeIfPresent(String.self, forKey: .vendor) ?? ""
    product = try container.decodeIfPresent(String.self, forKey: .product) ?? ""
    serial = try container.decodeIfPresent(String.self, forKey: .serial) ?? ""
    interface = try container.decodeIfPresent(String.self, forKey: .interface) ?? ""
    card = try container.decodeIfPresent(String.self, forKey: .card) ?? ""
  }
}
