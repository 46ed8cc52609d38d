import CamrigModel
import HTTP
import RigControl

/// Files by the paths that they have over HTTP, for monitors that have only the media socket.
extension MonitorSite {
  /// - Parameter path: `/takes/TAKE/FILE`, `/shots/…`, `/timelapses/…`, not percent-encoded.
  func mediaFile(_ path: String, for peer: Peer) async throws(RPCError) -> HTTPFile {
    guard let (route, parts) = Route.file(path) else {
      throw RPCError(.paramsInvalid, "path is /takes/TAKE/FILE, /shots/SHOT/FILE or /timelapses/ID/FILE")
    }
    if case .atLeast(let role) = route.admission, !peer.role.allows(role) {
      throw RPCError(.roleForbidden, "\(peer) may not have \(path).")
    }
    do throws(RigError) {
      let place = try await filePath(route, parts)
      do throws(HTTPFileError) {
        return try await HTTPFile.opened(path: place.path, type: "application/octet-stream", on: place.volume)
      } catch {
        throw RigError(
          error.isMissing ? route.unknown : .diskFailed, error.isMissing ? "There is no \(path)." : "\(error)")
      }
    } catch {
      throw RPCError(error.code, error.message)
    }
  }

  private func filePath(_ route: Route, _ parts: [String]) async throws(RigError) -> MediaFile {
    switch route {
    case .photoFile: try await rig.photoFile(parts[0], parts[1])
    case .timelapseFile: try await rig.timelapseFile(parts[0], parts[1])
    default: try await rig.takeFile(parts[0], parts[1])
    }
  }
}

extension Route {
  /// What is a file on the volume, and the parts of the path that are its parameters.
  package static func file(_ path: String) -> (route: Route, parts: [String])? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[0].isEmpty else { return nil }
    let route: Route? =
      switch parts[1] {
      case "takes": .takeFile
      case "shots": .photoFile
      case "timelapses": .timelapseFile
      default: nil
      }
    return route.map { ($0, Array(parts[2...])) }
  }

  /// What is wrong where a file that is its business is not there.
  fileprivate var unknown: RigErrorCode {
    switch self {
    case .photoFile: .shotUnknown
    case .timelapseFile: .timelapseUnknown
    default: .takeUnknown
    }
  }
}
