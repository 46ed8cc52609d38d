import CamrigModel
import Codec
import DaemonKit
import HTTP
import RigControl

/// Photos as files, and small pictures of them.
extension MonitorSite {
  /// A file of this name never changes.
  private static let caching = "private, max-age=31536000, immutable"

  func photoFile(_ parts: [String], _ head: HTTPRequestHead) async -> HTTPResponse {
    do {
      return await photo(try await rig.photoFile(parts[0], parts[1]), name: parts[1], .shotUnknown, head)
    } catch {
      return problem(error, missing: .shotUnknown)
    }
  }

  func timelapseFile(_ parts: [String], _ head: HTTPRequestHead) async -> HTTPResponse {
    do {
      let file = try await rig.timelapseFile(parts[0], parts[1])
      guard file.path.hasSuffix(".mov") else { return await photo(file, name: parts[1], .timelapseUnknown, head) }
      let download = head.query("download") != nil ? parts[1] : nil
      return .file(
        try await HTTPFile.opened(
          path: file.path, type: "video/quicktime", downloadName: download, on: file.volume))
    } catch {
      return problem(error, missing: .timelapseUnknown)
    }
  }

  /// - Parameter photo: a JPEG that stays as it is.
  func photo(
    _ photo: MediaFile, name: String, _ missing: RigErrorCode, _ head: HTTPRequestHead
  ) async -> HTTPResponse {
    do {
      let download = head.query("download") != nil ? name : nil
      let file = try await HTTPFile.opened(
        path: photo.path, type: "image/jpeg", downloadName: download, on: photo.volume)
      if let edge = head.query("longEdge").flatMap({ Int($0) }) { return try await small(file, name, edge, head) }
      return .file(file, headers: ["cache-control": Self.caching])
    } catch {
      return problem(error, missing: missing)
    }
  }

  private func small(
    _ file: HTTPFile, _ name: String, _ edge: Int, _ head: HTTPRequestHead
  ) async throws(VolumeSilence) -> HTTPResponse {
    // In steps, so that few different ones are made.
    let edge = min(max(edge, 64), 1920) / 16 * 16
    let tag = "\"\(file.entityTag.dropFirst().dropLast())-\(edge)\""
    if head.headers["if-none-match"] == tag {
      return HTTPResponse(304, headers: ["etag": tag, "cache-control": Self.caching])
    }
    guard let jpeg = try await smallPhotos.make(of: file, longEdge: edge) else {
      return .problem(404, .photoUnreadable, "\(name) is no JPEG that can be shown.")
    }
    return HTTPResponse(200, type: "image/jpeg", jpeg, headers: ["etag": tag, "cache-control": Self.caching])
  }
}
