/// What an answer's error is about, for programs: `error.data.reason` on the wire, with a number in `error.code`.
/// Once released neither changes its meaning, however the sentence for people beside it is worded.
package enum RigErrorCode: String, CaseIterable, Sendable {
  // JSON-RPC's own.
  case requestUnreadable = "request.unreadable"
  case requestInvalid = "request.invalid"
  case methodUnknown = "method.unknown"
  case paramsInvalid = "params.invalid"
  case internalError = "internal"

  // The wire.
  case requestTooLarge = "request.too-large"
  case answerTooLarge = "answer.too-large"
  case tooManyMonitors = "monitor.too-many"
  case monitorTooSlow = "monitor.too-slow"
  case notPermitted = "monitor.not-permitted"
  case timedOut = "request.timed-out"
  case stopping = "rig.stopping"
  /// The same monitor has wished for something else meanwhile.
  case overtaken = "request.overtaken"
  /// Not with the role that this monitor has.
  case roleForbidden = "role.forbidden"
  case monitorUnknown = "monitor.unknown"
  /// Nobody waits to be paired with that number.
  case pairingUnknown = "pairing.unknown"

  // HTTP, whose problems have the same codes.
  /// It came without a token.
  case monitorUnpaired = "monitor.unpaired"
  /// It came with a token that is none, or none any more.
  case tokenUnknown = "token.unknown"
  case pairingCodeWrong = "pairing.code-wrong"
  /// After so many wrong codes or requests; `Retry-After` says for how long.
  case pairingMustWait = "pairing.must-wait"
  case pairingFull = "pairing.full"
  case pairingUnavailable = "pairing.unavailable"
  case hostUnknown = "host.unknown"
  case originForeign = "origin.foreign"
  /// A version of WebSockets or a subprotocol that is not spoken here.
  case protocolUnsupported = "protocol.unsupported"
  case addressUnknown = "address.unknown"
  case addressMethod = "address.method"
  case addressWebSocket = "address.websocket"
  case tlsNeeded = "tls.needed"

  // Cameras.
  case cameraUnknown = "camera.unknown"
  case cameraOffline = "camera.offline"
  case cameraBusy = "camera.busy"
  case cameraDisabled = "camera.disabled"
  case cameraFailed = "camera.failed"
  /// It is open, but no picture came in time.
  case cameraSilent = "camera.silent"
  case cameraNameTaken = "camera.name-taken"
  case cameraNameInvalid = "camera.name-invalid"
  case cameraNotReplaceable = "camera.not-replaceable"
  case cameraNone = "camera.none"
  case formatUnsupported = "format.unsupported"
  case controlUnsupported = "control.unsupported"
  /// Its pictures cannot be turned so; the message names the cure.
  case pictureRefused = "picture.refused"

  // Microphones.
  case microphoneUnknown = "microphone.unknown"
  /// It cannot be done with this microphone; the message says why.
  case microphoneRefused = "microphone.refused"
  /// Nothing is heard of it just now; the message says why.
  case microphoneSilent = "microphone.silent"
  // Torches.
  /// There is none.
  case torchNone = "torch.none"
  case torchUnknown = "torch.unknown"
  case torchFailed = "torch.failed"

  // Recording and what is kept.
  /// It cannot begin; the message says why.
  case recordingRefused = "recording.refused"
  /// Not while a take runs.
  case recordingRunning = "recording.running"
  case takeUnknown = "take.unknown"
  case takeOpen = "take.open"
  case takeDamaged = "take.damaged"
  /// The rig cannot show its pictures; the file itself can be had.
  case takeUnplayable = "take.unplayable"
  case takeNameInvalid = "take.name-invalid"
  case diskLow = "disk.low"
  case diskFailed = "disk.failed"
  case diskReadOnly = "disk.read-only"
  case settingsNotSaved = "settings.not-saved"

  // Photos.
  /// It cannot be taken now; the message says why.
  case photoRefused = "photo.refused"
  case shotUnknown = "shot.unknown"
  /// It is no JPEG that can be shown smaller.
  case photoUnreadable = "photo.unreadable"
  case timelapseUnknown = "timelapse.unknown"
  /// Not so; the message says why.
  case timelapseRefused = "timelapse.refused"

  /// Ours are positive: JSON-RPC keeps -32768…-32000 for itself.
  package var number: Int {
    switch self {
    case .requestUnreadable: -32700
    case .requestInvalid: -32600
    case .methodUnknown: -32601
    case .paramsInvalid: -32602
    case .internalError: -32603
    case .requestTooLarge: 1001
    case .answerTooLarge: 1002
    case .tooManyMonitors: 1003
    case .monitorTooSlow: 1004
    case .notPermitted: 1005
    case .timedOut: 1006
    case .stopping: 1007
    case .roleForbidden: 1008
    case .monitorUnknown: 1009
    case .pairingUnknown: 1010
    case .monitorUnpaired: 1011
    case .tokenUnknown: 1012
    case .pairingCodeWrong: 1013
    case .pairingMustWait: 1014
    case .pairingFull: 1015
    case .pairingUnavailable: 1016
    case .overtaken: 1020
    case .hostUnknown: 1021
    case .originForeign: 1022
    case .protocolUnsupported: 1023
    case .addressUnknown: 1024
    case .addressMethod: 1025
    case .addressWebSocket: 1026
    case .tlsNeeded: 1027
    case .cameraUnknown: 2001
    case .cameraOffline: 2002
    case .cameraBusy: 2003
    case .cameraDisabled: 2004
    case .cameraFailed: 2005
    case .cameraSilent: 2006
    case .cameraNameTaken: 2007
    case .cameraNameInvalid: 2008
    case .cameraNotReplaceable: 2009
    case .cameraNone: 2010
    case .formatUnsupported: 2101
    case .controlUnsupported: 2102
    case .pictureRefused: 2103
    case .microphoneUnknown: 2301
    case .microphoneRefused: 2302
    case .microphoneSilent: 2303
    case .torchNone: 2201
    case .torchUnknown: 2202
    case .torchFailed: 2203
    case .recordingRefused: 3001
    case .recordingRunning: 3002
    case .takeUnknown: 3101
    case .takeOpen: 3102
    case .takeDamaged: 3103
    case .takeNameInvalid: 3104
    case .takeUnplayable: 3105
    case .diskLow: 3201
    case .diskFailed: 3202
    case .diskReadOnly: 3203
    case .settingsNotSaved: 3301
    case .photoRefused: 3401
    case .shotUnknown: 3402
    case .photoUnreadable: 3403
    case .timelapseUnknown: 3501
    case .timelapseRefused: 3502
    }
  }
}
