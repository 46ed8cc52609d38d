/// Something of ours that takes bytes from strangers. It must take any; a broken promise ends the program.
struct FuzzTarget: Sendable {
  let name: String
  let run: @Sendable ([UInt8]) -> Void

  static let all = [
    wishes, lines, patches, ranges, mediaHeaders, movies, http, webSockets, jpeg, h264, raw, descriptors,
  ]
}
