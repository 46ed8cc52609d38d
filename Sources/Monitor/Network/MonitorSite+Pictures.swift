import CamrigModel
import Frames
import HTTP
import RigControl
import Streaming

/// Pictures for tools that know no protocol but HTTP.
extension MonitorSite {
  /// More than a camera that was closed needs to open and to see well.
  private static let patience = Rig.settlingLimit + .seconds(2)

  func snapshot(_ head: HTTPRequestHead) async -> HTTPResponse {
    do throws(RigError) {
      let (id, preview) = try await previews.preview(of: try await camera(head))
      return await answer(id, preview, form(head))
    } catch {
      return .problem(404, error.code, error.message)
    }
  }

  private func answer(_ id: CameraID, _ preview: CameraPreview, _ form: PreviewForm) async -> HTTPResponse {
    let previews = previews
    switch await OnePicture.of(preview, form, within: Self.patience, ready: { await previews.settle(id) }) {
    case .picture(let picture):
      return HTTPResponse(
        200, type: "image/jpeg", picture.withBytes { Array($0) },
        headers: ["cache-control": "no-store", "x-timestamp": "\(picture.presentationTime.inSeconds)"])
    case .none(let reason):
      let why = await previews.whyDark(id)
      return .problem(
        503, why?.code ?? .cameraSilent,
        why?.message ?? reason ?? "\(id) has sent no picture within \(Self.patience.components.seconds) s.")
    }
  }

  func stream(_ head: HTTPRequestHead, _ peer: Peer?) async -> HTTPResponse {
    do throws(RigError) {
      let (_, preview) = try await previews.preview(of: try await camera(head))
      return .stream(
        type: MultipartPictures.type, GuestStream(MultipartPictures(preview, form(head)), guests: guests, peer: peer))
    } catch {
      return .problem(404, error.code, error.message)
    }
  }

  private func camera(_ head: HTTPRequestHead) async throws(RigError) -> String {
    if let camera = head.query("camera"), !camera.isEmpty { return camera }
    guard let camera = await previews.anyCamera() else {
      throw RigError(.cameraNone, "No camera is there. Plug one in.")
    }
    return camera
  }

  private func form(_ head: HTTPRequestHead) -> PreviewForm {
    .shared(
      longEdge: head.query("longEdge").flatMap { Int($0) }, rate: head.query("rate").flatMap { FrameRate($0) },
      quality: head.query("quality").flatMap { Int($0) })
  }
}

extension PreviewForm {
  /// In steps, so that viewers who want about the same share what is made for them.
  static func shared(longEdge: Int?, rate: FrameRate?, quality: Int?) -> PreviewForm {
    let edge = min(max(longEdge ?? edges.upperBound, edges.lowerBound), edges.upperBound)
    let wanted = min(max(quality ?? 75, 1), 100)
    return PreviewForm(longEdge: edge / 16 * 16, rate: rate, quality: max(wanted / 15 * 15, 15))
  }
}

extension MediaTime {
  var inSeconds: Double { Double(nanoseconds) / 1_000_000_000 }
}

/// A picture on its way to a socket, where it is in memory.
struct FramePayload: HTTPPayload {
  let frame: Frame

  var byteCount: Int { frame.byteCount }
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) { frame.withBytes(body) }
}
