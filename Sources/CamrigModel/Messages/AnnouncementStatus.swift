/// Whether programs in the network find the rig by themselves (mDNS), and as what.
package struct AnnouncementStatus: Hashable, Codable, Sendable {
  /// Under which it is listed; absent while it is not.
  package var name: String?
  /// The machine's name in the network, such as `stage.local`, as it is now: it may differ from the machine's own.
  package var host: String?
  /// Why it is not announced, or not under its name; empty when all is well.
  package var message: String

  package init(name: String? = nil, host: String? = nil, message: String = "") {
    self.name = name
    self.host = host
    self.message = message
  }
}
