import CAvahi
import CamrigModel
import Glibc

/// The connection to avahi by way of D-Bus, and what is registered with it. What avahi says is kept until it is asked
/// for: in its callbacks nothing may be freed.
///
/// `@unchecked`: all of it belongs to the thread that calls `wait`; only `wake` is for others.
final class AvahiConnection: @unchecked Sendable {
  private let poll: OpaquePointer
  private var client: OpaquePointer?
  private var group: OpaquePointer?
  private var heard: [AnnouncementPlan.Event] = []

  init?() {
    guard let poll = avahi_simple_poll_new() else { return nil }
    self.poll = poll
  }

  deinit {
    disconnect()
    avahi_simple_poll_free(poll)
  }

  /// Ends a `wait`, or the next one.
  func wake() { avahi_simple_poll_wakeup(poll) }

  /// Until something was heard, somebody has woken us, or so long.
  func wait(_ time: Duration?) {
    // Steps are answered at once, too.
    guard heard.isEmpty else { return }
    let milliseconds = time.map { max(0, Int32(clamping: $0.inNanoseconds / 1_000_000 + 1)) }
    guard avahi_simple_poll_iterate(poll, milliseconds ?? -1) < 0, errno != EINTR else { return }
    heard.append(.lost(String(cString: strerror(errno))))
    // What fails at once would fail again at once.
    sleep(1)
  }

  func take() -> [AnnouncementPlan.Event] {
    defer { heard = [] }
    return heard
  }

  // MARK: Steps

  func connect() {
    disconnect()
    var code: Int32 = 0
    let flags = AvahiClientFlags(AVAHI_CLIENT_NO_FAIL.rawValue | AVAHI_CLIENT_IGNORE_USER_CONFIG.rawValue)
    client = avahi_client_new(
      avahi_simple_poll_get(poll), flags, clientChanged, Unmanaged.passUnretained(self).toOpaque(), &code)
    if client == nil { heard.append(.lost(Self.text(code))) }
  }

  func disconnect() {
    // Its groups are freed with it.
    group = nil
    if let client { avahi_client_free(client) }
    client = nil
    heard = []
  }

  /// A new group each time, so that nothing avahi still says of the former is taken for this one's.
  func register(_ name: String, _ services: [AnnouncedService]) {
    withdraw()
    guard let client else { return }
    group = avahi_entry_group_new(client, groupChanged, Unmanaged.passUnretained(self).toOpaque())
    guard let group else { return heardError(avahi_client_errno(client)) }
    for service in services {
      var text: UnsafeMutablePointer<AvahiStringList>?
      for line in service.text { text = avahi_string_list_add(text, line) }
      defer { avahi_string_list_free(text) }
      // -1: all interfaces, IPv4 and IPv6 (AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC).
      let code = avahi_entry_group_add_service_strlst(
        group, -1, -1, AvahiPublishFlags(0), name, service.type, nil, nil, service.port, text)
      guard code >= 0 else { return heardError(code) }
    }
    let code = avahi_entry_group_commit(group)
    if code < 0 { heardError(code) }
  }

  func withdraw() {
    if let group { avahi_entry_group_free(group) }
    group = nil
    heard.removeAll { $0 == .established || $0 == .collision }
  }

  // MARK: What is heard

  fileprivate func changed(_ client: OpaquePointer, _ state: AvahiClientState) {
    switch state {
    case AVAHI_CLIENT_S_RUNNING:
      heard.append(.hostSettled(avahi_client_get_host_name_fqdn(client).map { String(cString: $0) } ?? ""))
    case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: heard.append(.hostUnsettled)
    case AVAHI_CLIENT_CONNECTING: heard.append(.daemonAbsent)
    case AVAHI_CLIENT_FAILURE: heard.append(.lost(Self.text(avahi_client_errno(client))))
    default: break
    }
  }

  fileprivate func changed(_ group: OpaquePointer, _ state: AvahiEntryGroupState) {
    switch state {
    case AVAHI_ENTRY_GROUP_ESTABLISHED: heard.append(.established)
    case AVAHI_ENTRY_GROUP_COLLISION: heard.append(.collision)
    case AVAHI_ENTRY_GROUP_FAILURE: heardError(avahi_client_errno(avahi_entry_group_get_client(group)))
    // Under way.
    default: break
    }
  }

  private func heardError(_ code: Int32) {
    switch Int(code) {
    // Another program of this machine has the name.
    case AVAHI_ERR_COLLISION: heard.append(.collision)
    case AVAHI_ERR_DISCONNECTED, AVAHI_ERR_DBUS_ERROR, AVAHI_ERR_NO_DAEMON, AVAHI_ERR_TIMEOUT:
      heard.append(.lost(Self.text(code)))
    default: heard.append(.refused(Self.text(code)))
    }
  }

  private static func text(_ code: Int32) -> String {
    avahi_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  static func alternative(_ name: String) -> String {
    guard let text = avahi_alternative_service_name(name) else { return name + " #2" }
    defer { avahi_free(text) }
    return String(cString: text)
  }
}

private func clientChanged(_ client: OpaquePointer?, _ state: AvahiClientState, _ context: UnsafeMutableRawPointer?) {
  guard let client, let context else { return }
  Unmanaged<AvahiConnection>.fromOpaque(context).takeUnretainedValue().changed(client, state)
}

private func groupChanged(_ group: OpaquePointer?, _ state: AvahiEntryGroupState, _ context: UnsafeMutableRawPointer?) {
  guard let group, let context else { return }
  Unmanaged<AvahiConnection>.fromOpaque(context).takeUnretainedValue().changed(group, state)
}
