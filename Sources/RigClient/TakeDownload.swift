import CamrigModel
import DaemonKit
import Glibc
import HTTP

/// Fetches the files of a take into a folder. What was fetched before stays; what was cut short goes on where it ended,
/// as long as the rig's file is still the same.
package struct TakeDownload {
  package enum Outcome: Hashable, Sendable {
    /// It was there already, whole.
    case present
    /// So many bytes came.
    case fetched(Int64)
  }

  private let web: RigWeb
  private let take: String
  private let folder: String

  /// - Parameter parent: a folder named like the take is made in it.
  package init(_ web: RigWeb, take: String, into parent: String) throws(DownloadError) {
    guard Self.isName(take) else { throw .strange(take) }
    self.web = web
    self.take = take
    folder = parent + "/" + take
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw .write(folder, errno) }
  }

  package func fetch(_ file: String) throws -> Outcome {
    guard Self.isName(file) else { throw DownloadError.strange(file) }
    let path = folder + "/" + file
    let target = "/takes/\(PercentEncoding.encode(take))/\(PercentEncoding.encode(file))"
    if try isPresent(path, target) { return .present }
    let partial = PartialFile.find(path)
    let sink = DownloadSink(path, partial)
    var headers: HTTPHeaders = [:]
    if let partial, partial.size > 0 {
      headers.add("range", "bytes=\(partial.size)-")
      headers.add("if-range", partial.entityTag)
    }
    _ = try web.fetch(target, headers: headers, into: sink)
    return .fetched(try sink.finish(path, web))
  }

  /// The rig says what its files are called; it has no say in where they go.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.first != "." && !text.utf8.contains { $0 == 47 || $0 == 0 } && text.utf8.count <= 200
  }

  /// Asked for what lies behind it, the rig has nothing more.
  private func isPresent(_ path: String, _ target: String) throws -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return false }
    let probe = SizeProbe()
    _ = try web.fetch(target, headers: ["range": "bytes=\(status.st_size)-"], into: probe)
    return probe.says(Int64(status.st_size))
  }
}

/// Learns from the head of an answer how large a file is that nothing is wanted of.
private final class SizeProbe: HTTPBodySink {
  private let range = Guarded<String?>(nil)

  func began(status: Int, headers: HTTPHeaders) -> Bool {
    range.withLock { $0 = status == 416 ? headers["content-range"] : nil }
    return false
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
  func says(_ size: Int64) -> Bool { range.withLock { $0 } == "bytes */\(size)" }
}
