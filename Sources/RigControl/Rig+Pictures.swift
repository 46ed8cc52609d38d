import CamrigModel
import Capture
import Codec

extension Rig {
  static func picture(
    _ before: PictureSetting, _ request: CameraSetRequest
  ) throws(RigError) -> PictureSetting {
    var picture = request.reset?.contains("picture") == true ? PictureSetting() : before
    guard let choice = request.picture else { return picture }
    do throws(PictureSettingError) { try picture.apply(choice) } catch { throw RigError(.paramsInvalid, "\(error)") }
    return picture
  }

  /// Throws if the camera can only be H.264 then, and cannot flip that itself. Left to itself it is opened in another
  /// format, if it has one.
  func checkPicture(
    _ picture: PictureSetting, _ camera: CameraDescription, _ wish: FormatWish
  ) async throws(RigError) {
    guard !picture.isIdentity else { return }
    let offered = camera.device?.formats.compactMap(\.pixelFormat) ?? []
    guard wish.pixelFormat == .h264 || Set(offered) == [.h264] else { return }
    let refusal: TurnRefusal
    if await canFlip(camera.id) {
      guard !picture.isFlipsOnly else { return }
      refusal = .h264Quarter
    } else {
      refusal = .h264
    }
    throw RigError(.pictureRefused, "The picture of \(camera.name) cannot be so: \(refusal.advice(offered: offered))")
  }

  private func canFlip(_ id: CameraID) async -> Bool {
    guard let stream = await registry.camera(id) else { return false }
    // A camera whose controls cannot be read has none for this.
    if stream.controls.canFlip == nil { _ = try? await stream.controls.list() }
    return stream.controls.canFlip == true
  }
}
