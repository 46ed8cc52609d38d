import CamrigModel
import Codec

/// What others see.
extension CameraControl {
  var isWanted: Bool { isEnabled && !demands.isEmpty && device != nil && !isGone }

  var state: CameraState {
    guard device != nil else { return .offline }
    guard isEnabled else { return .disabled }
    switch phase {
    case .streaming: return .streaming
    case .stalled: return .stalled
    case .opening: return trouble?.state ?? .starting
    case .closed: return trouble?.state ?? (isWanted ? .starting : .idle)
    }
  }

  var message: String {
    guard device != nil, isEnabled else { return "" }
    if phase == .stalled { return "no picture comes" }
    if phase != .streaming, let trouble { return trouble.message }
    return [formatNotes, undecodableNote ?? "", spoiltNote].filter { !$0.isEmpty }.joined(separator: "; ")
  }

  var cause: CameraCause? {
    guard device != nil else { return .unplugged }
    guard isEnabled else { return .disabled }
    if phase == .stalled { return .stalled }
    if phase != .streaming, let trouble { return trouble.cause }
    if undecodableNote != nil { return .undecodable }
    if !spoiltNote.isEmpty { return .spoiltPictures }
    if isBusFull { return .noBandwidth }
    return formatNotes.isEmpty ? nil : .otherFormat
  }

  mutating func noteState(at now: WallTime) {
    if since?.state != state || since?.cause != cause { since = (now, state, cause) }
  }

  /// What is granted other than asked, while it is open.
  var formatNotes: String {
    guard let granted else { return "" }
    if let fallback { return "streams \(granted) instead of \(fallback.from): \(fallback.reason)" }
    return formatNote
  }

  /// While it streams what nobody can decode.
  private var undecodableNote: String? {
    guard let undecodable, granted?.pixelFormat == .h264 else { return nil }
    let hasOthers = description.flatMap { FormatPolicy($0).without(.h264) } != nil
    return "\(undecodable)"
      + (hasOthers ? "; choose another format for it with camrigctl camera set" : ", and it has no other format")
  }

  var streamState: CameraStreamState {
    CameraStreamState(
      state: state, message: message, cause: cause, since: since?.time, device: description, granted: granted,
      stream: nil,
      undecodable: state == .streaming ? undecodableNote : nil, isBusFull: isBusFull, turnRefusal: turnRefusal)
  }

  /// Why pictures cannot be turned: in the present format, or in the one that it will surely have. H.264 that nobody has chosen
  /// gives way to another format.
  private var turnRefusal: TurnRefusal? {
    if let granted, granted.pixelFormat != .h264 { return unturnable }
    let offered = Set(description?.formats.compactMap(\.pixelFormat) ?? [])
    let isChosen = wish.pixelFormat == .h264 && (offered.isEmpty || offered.contains(.h264))
    let isKept = granted != nil && !picture.isIdentity
    return offered == [.h264] || isChosen || isKept ? .h264 : nil
  }
}
