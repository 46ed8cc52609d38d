import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  /// A write into a clip, as strace saw it.
  struct ClipWrite {
    let offset: Int
    let byteCount: Int
    var end: Int { offset + byteCount }
  }

  @Suite("A clean stop")
  struct Stop {
    private static let traces = Program.run("strace", ["-o", "/dev/null", "true"]).status == 0

    /// Where the box of `type` begins and how long it is, among those that stand side by side in the file.
    private func box(_ type: String, in file: [UInt8]) -> Range<Int>? {
      var at = 0
      while at + 16 <= file.count {
        func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 << 8 | Int(file[at + $1]) } }
        let short = number(0..<4)
        let length = short == 1 ? number(8..<16) : short
        guard length >= 8 else { return nil }
        if Array(file[at + 4..<at + 8]) == Array(type.utf8) { return at..<at + length }
        at += length
      }
      return nil
    }

    @Test("leaves every byte that was in the file where it was, but for the 16 that hide the fragments")
    func keepsBytes() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let take = try await daemon.record(pictures: 40).take
      let running = try await daemon.json("take", "show", "last", as: TakeManifest.self)
      let paths = running.cameras.flatMap(\.clips).map { "\(daemon.takes)/\(take)/\($0.file)" }
      let before = paths.map { FileBytes.read($0) }
      _ = try await daemon.takeStop()
      #expect(paths.count == 2)
      for (path, old) in zip(paths, before) {
        let new = FileBytes.read(path)
        let hidden = try #require(box("mdat", in: new))
        #expect(new.count >= old.count && old.count > hidden.lowerBound + 16)
        #expect(FileBytes.areEqual(old, new, 0..<hidden.lowerBound))
        #expect(!FileBytes.areEqual(old, new, hidden.lowerBound..<hidden.lowerBound + 16))
        #expect(FileBytes.areEqual(old, new, hidden.lowerBound + 16..<old.count))
        #expect(box("moov", in: new)?.upperBound == new.count)
      }
    }

    @Test(
      "writes the index behind the last fragment and the switch of 16 bytes, and nothing else",
      .enabled(if: traces, "strace is not installed or not allowed"))
    func writesLittle() async throws {
      let daemon = TestDaemon(demo: 1)
      let log = daemon.directory.path + "/strace"
      try await daemon.start(through: [
        "strace", "-f", "-y", "-qq", "-e", "trace=pwrite64,pwritev,pwritev2,write,writev,ftruncate,fallocate", "-o",
        log,
      ])
      try await daemon.record(pictures: 40)
      let take = try await daemon.takeStop()
      await daemon.stop()
      let clip = try #require(take.cameras.first?.clips.first)
      let index = try #require(box("moov", in: FileBytes.read("\(daemon.takes)/\(take.id)/\(clip.file)")))
      let lines = String(decoding: FileBytes.read(log), as: UTF8.self).split(separator: "\n")
      let calls = lines.filter { $0.contains("/\(clip.file)>") }
      #expect(!calls.contains { $0.contains("truncate") || $0.contains("fallocate") || $0.contains(" write") })

      let writes = Self.writes(lines, to: clip.file)
      try #require(writes.count == calls.count && writes.count > 4, "\(calls.map { $0.suffix(80) })")
      let back = zip(writes, writes.dropFirst()).filter { $1.offset < $0.end }
      #expect(back.count == 1 && back.first?.1.byteCount == 16 && writes.last?.byteCount == 16)
      let behind = writes.filter { $0.end > index.lowerBound }.reduce(0) { $0 + $1.byteCount }
      #expect(behind + 16 <= index.count + 64)
    }

    /// `10616 pwritev(22</path>, [{…}], 2, 2878726) = 4858`. Where another thread's call came between, it is cut in
    /// two: `… 2, 2878726 <unfinished ...>` and `10616 <... pwritev resumed>) = 4858`.
    private static func writes(_ lines: [Substring], to file: String) -> [ClipWrite] {
      var begun: [Substring: Int] = [:]
      return lines.compactMap { line in
        let thread = line.prefix { $0.isNumber }
        let end = line.lastIndex(of: "=") ?? line.endIndex
        func lastNumber(_ text: Substring) -> Int? { Int((text.split(separator: ",").last ?? "").filter(\.isNumber)) }
        if line.contains("/\(file)>") {
          if line.hasSuffix("<unfinished ...>") {
            begun[thread] = lastNumber(line)
            return nil
          }
          guard let offset = lastNumber(line[..<end]) else { return nil }
          return lastNumber(line[end...]).map { ClipWrite(offset: offset, byteCount: $0) }
        }
        guard line.contains("pwritev resumed>"), let offset = begun.removeValue(forKey: thread) else { return nil }
        return lastNumber(line[end...]).map { ClipWrite(offset: offset, byteCount: $0) }
      }
    }
  }
}
