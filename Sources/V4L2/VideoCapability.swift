/// What QUERYCAP says of a node.
package struct VideoCapability: Hashable, Sendable {
  package let driver: String
  package let card: String
  package let bus: String
  /// Takes pictures and streams them (`device_caps` of this node, not of the whole device: a metadata node of a
  /// camera does not, nor does a codec).
  package let isCamera: Bool

  package init(driver: String, card: String, bus: String, isCamera: Bool) {
    self.driver = driver
    self.card = card
    self.bus = bus
    self.isCamera = isCamera
  }
}
