import CamrigModel
import HTTP

/// Where a media connection's streams come from.
struct MediaSources: Sendable {
  let previews: PreviewRoom
  let sounds: SoundRoom
  /// The file that has this path over HTTP, for whoever may have it there.
  let file: @Sendable (String) async throws(RPCError) -> HTTPFile
}
