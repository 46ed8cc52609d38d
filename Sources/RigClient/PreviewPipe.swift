import CamrigModel
import Glibc
import HTTP

/// A camera's preview as JPEGs one behind the other, which is what `ffplay -f mjpeg` and its like read. Whoever takes
/// the pictures slowly gets fewer: the rig sends the newest whenever there is room.
package final class PreviewPipe: HTTPBodySink {
  private enum State {
    case waiting
    case pictures(MultipartReader)
    case refused(RefusedBody)
    case broken
    case ended(Int32)
  }

  private let descriptor: Int32
  private let state = Guarded(State.waiting)

  /// - Parameter descriptor: where the pictures go; it stays the caller's.
  package init(to descriptor: Int32) { self.descriptor = descriptor }

  package func began(status: Int, headers: HTTPHeaders) -> Bool {
    state.withLock { $0 = status == 200 ? .pictures(MultipartReader()) : .refused(RefusedBody(status: status)) }
    return true
  }

  package func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let pictures = state.withLock { Self.read(bytes, &$0) }
    guard let pictures else { return false }
    for picture in pictures {
      let code = picture.withUnsafeBytes { OutputFile.write($0, to: descriptor) }
      if code != 0 {
        state.withLock { $0 = .ended(code) }
        return false
      }
    }
    return true
  }

  /// Nil: it makes no sense any more.
  private static func read(_ bytes: UnsafeRawBufferPointer, _ state: inout State) -> [[UInt8]]? {
    switch state {
    case .pictures(var reader):
      do throws(MultipartReader.Fault) {
        let pictures = try reader.take(bytes)
        state = .pictures(reader)
        return pictures
      } catch {
        state = .broken
        return nil
      }
    case .refused(var body):
      body.append(bytes)
      state = .refused(body)
      return []
    case .waiting, .broken, .ended: return nil
    }
  }

  /// Fetches until nobody reads any more. Who closes the pipe has seen enough: no error. A rig that ends the preview has
  /// gone, or has sent this monitor away.
  package func run(_ web: RigWeb, target: String) throws {
    _ = try web.fetch(target, into: self, mayRest: true)
    switch state.withLock({ $0 }) {
    case .refused(let body): throw web.refusal(body.status, body.bytes)
    case .broken: throw RemoteRigError.garbled(web.place, "no stream of pictures")
    case .ended(EPIPE): return
    case .waiting, .pictures: throw RemoteRigError.closed(web.place, "")
    case .ended(let code): throw DownloadError.write("the output", code)
    }
  }
}
