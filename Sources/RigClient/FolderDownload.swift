import CamrigModel
import DaemonKit
import Glibc
import HTTP

/// Fetches the files of a take or a timelapse into a folder. What was fetched before stays; what was cut short goes on
/// where it ended, as long as the rig's file is still the same.
package struct FolderDownload {
  /// What a rig's folder is of, as its paths begin.
  package enum Kind: String, Sendable {
    case takes, timelapses
  }

  package enum Outcome: Hashable, Sendable {
    /// It was there already, whole.
    case present
    /// So many bytes came.
    case fetched(Int64)
  }

  private let web: RigWeb
  private let place: String
  package let folder: String

  /// - Parameters:
  ///   - id: of the take or timelapse.
  ///   - parent: a folder of that name is made in it.
  package init(_ web: RigWeb, _ kind: Kind, _ id: String, into parent: String) throws(DownloadError) {
    guard Self.isName(id) else { throw .strange(id) }
    self.web = web
    place = "/\(kind.rawValue)/\(PercentEncoding.encode(id))/"
    folder = parent + "/" + id
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw .write(folder, errno) }
  }

  package func fetch(_ file: String) throws -> Outcome {
    let (path, target) = try find(file)
    if try isPresent(path, target) { return .present }
    return try fetch(path, target)
  }

  /// One that stays as it is and is soon fetched, such as a picture: what is here under its name is it, and the rig is
  /// not asked. Nil: the rig has none of that name.
  package func fetchUnchanging(_ file: String) throws -> Outcome? {
    let (path, target) = try find(file)
    if Self.byteCount(path) > 0 { return .present }
    let sink = DownloadSink(path, nil)
    _ = try web.fetch(target, into: sink)
    // One that is there and cannot be read is another matter.
    guard sink.code != RigErrorCode.timelapseUnknown.rawValue else { return nil }
    return .fetched(try sink.finish(path, web))
  }

  private func find(_ file: String) throws(DownloadError) -> (path: String, target: String) {
    guard Self.isName(file) else { throw .strange(file) }
    return (folder + "/" + file, place + PercentEncoding.encode(file))
  }

  private func fetch(_ path: String, _ target: String) throws -> Outcome {
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
    let size = Self.byteCount(path)
    guard size > 0 else { return false }
    let probe = SizeProbe()
    _ = try web.fetch(target, headers: ["range": "bytes=\(size)-"], into: probe)
    return probe.says(size)
  }

  /// 0 where there is none.
  private static func byteCount(_ path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
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
