import CWebSockets

/// What libwebsockets tells, passed on to the loop that belongs to the context. A function of its own, since a closure
/// may be taken for one of the main actor's.
func serviceCallback(
  _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
  _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int32 {
  guard let wsi, let pointer = cws_user(wsi) else { return 0 }
  let owner = Unmanaged<ServiceOwner>.fromOpaque(pointer).takeUnretainedValue()
  return owner.event(wsi, reason, user, UnsafeMutableRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
}

/// Who owns a context of libwebsockets. It outlives the context.
class ServiceOwner {
  /// - Returns: 0; -1 closes the connection.
  func event(
    _ wsi: OpaquePointer, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ bytes: UnsafeMutableRawBufferPointer
  ) -> Int32 { 0 }
}
