import CamrigModel
import HTTP
import Pairing

/// The paired monitors as those who operate the rig see them, and where new ones find it.
package final class MonitorDesk: Sendable {
  private let book: MonitorBook
  private let guests: GuestList
  private let box = Guarded<NetworkLink?>(nil)

  package init(book: MonitorBook, guests: GuestList) {
    self.book = book
    self.guests = guests
  }

  /// Nil: the rig is not in the network, or no more.
  package func use(_ link: NetworkLink?) { box.withLock { $0 = link } }

  package var link: NetworkLink? { box.withLock { $0 } }
  var network: NetworkStatus? { link?.status }
  var problems: [RigProblem] { link?.problems ?? [] }

  /// - Throws: `.notPermitted` where nobody could pair.
  package func offer(_ role: AccessRole) throws(RPCError) -> PairingOffer {
    guard let network, !network.urls.isEmpty else {
      throw RPCError(.notPermitted, "This rig is not in the network: nobody could pair. See camrigctl status.")
    }
    let code: String
    let life: Duration
    do throws(MonitorBook.PairingFailure) {
      (code, life) = try book.makeCode(for: role)
    } catch {
      throw RPCError(.internalError, "The kernel has no random numbers just now, so there is no code. Try again.")
    }
    let digits = code.filter { $0 != " " }
    let urls = network.urls.map { $0 + "#code=" + digits }
    return PairingOffer(
      code: code, role: role, expiresSeconds: Int(life.components.seconds), urls: urls,
      fingerprint: network.fingerprint, qrCodes: urls.map { QRCode($0)?.rows ?? [] })
  }

  var list: [MonitorDescription] {
    let present = guests.present
    return book.monitors.map {
      MonitorDescription(
        id: "\($0.id)", name: $0.name, role: $0.role, paired: $0.paired, lastSeen: $0.lastSeen,
        address: book.address(of: $0.id), connected: present.contains($0.id))
    }
  }

  /// By ID, or by a name that only one has.
  func revoke(_ text: String) throws(RPCError) {
    // Names are the monitors' own choice, and may look like another's ID.
    let all = book.monitors
    let named = all.first { "\($0.id)" == text }.map { [$0] } ?? all.filter { $0.name == text }
    guard let monitor = named.first else {
      throw RPCError(.monitorUnknown, "No paired monitor is \"\(text)\". See: camrigctl monitors")
    }
    guard named.count == 1 else {
      throw RPCError(
        .monitorUnknown,
        "\(named.count) monitors are called \"\(text)\". Say which by its ID: \(named.map { "\($0.id)" }.joined(separator: ", "))"
      )
    }
    do throws(MonitorBook.PairingFailure) {
      _ = try book.revoke(monitor.id)
    } catch {
      throw RPCError(.settingsNotSaved, "\(monitor.name) could not be revoked: \(error)")
    }
    guests.changed()
  }

  var requests: [PairingRequestDescription] { book.requests }

  /// With a role it lets the stranger in, without one it sends it away.
  func decide(_ request: String, _ role: AccessRole?) throws(RPCError) {
    guard book.decide(request, role) != nil else {
      throw RPCError(
        .pairingUnknown,
        "No device waits with the number \(request): it was decided on, or is too old. "
          + "See: camrigctl monitors")
    }
    guests.changed()
  }

  /// For the state that admins see.
  package func adminMembers() -> [String: JSONValue] {
    var waiting: [String: JSONValue] = [:]
    for request in book.requests {
      waiting[request.request] = [
        "name": .string(request.name), "address": .string(request.address), "check": .string(request.check),
        "at": .string(request.at.rfc3339),
      ]
    }
    var members = monitorMembers()
    if !waiting.isEmpty { members["pairingRequests"] = .object(waiting) }
    return members
  }

  /// Others' names and roles are nobody else's business.
  private func monitorMembers() -> [String: JSONValue] {
    let present = guests.present
    var monitors: [String: JSONValue] = [:]
    for monitor in book.monitors {
      monitors["\(monitor.id)"] = [
        "name": .string(monitor.name), "role": .string(monitor.role.rawValue),
        "connected": .bool(present.contains(monitor.id)),
      ]
    }
    return ["monitors": .object(monitors)]
  }
}
