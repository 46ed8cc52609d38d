import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  @Suite("Its socket")
  struct Wire {
    private static let malformed: [[UInt8]] =
      [
        #"{"op":"1"}"#, #"{"op":null}"#, #"{"op":1e400}"#, #"{"op":1.5}"#, #"{"op":-1}"#, #"{"op":[]}"#, "[]", #""x""#,
        "123", "", "{", #"{"jsonrpc":"2.0","id":1,"id":2,"method":"rig.status"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":["rig.status"]}"#, #"[{"jsonrpc":"2.0","id":1,"method":"rig.status"}]"#,
        #"{"jsonrpc":"2.0","id":1,"method":"rig.self-destruct"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"camera.get","params":{"camera":7}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"camera.set","params":{"camera":"test-1","size":"huge"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"take.list","params":{"limit":1e30}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"take.get","params":{"take":"../../../etc/passwd"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"recording.start","params":{"cameras":"test-1"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"recording.arm","params":{"armed":"yes"}}"#,
      ].map { Array($0.utf8) } + [
        [0x22, 0xC3, 0x28, 0x22], [0, 0, 0, 0], [0xFF, 0xFE],
        Array(String(repeating: "[", count: 100_000).utf8), [UInt8](repeating: 0x78, count: 64 << 20),
      ]

    @Test("whatever is said to it is answered by an error with a code, and it goes on, a running take too")
    func malformed() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      try await daemon.record()
      let path = daemon.socket
      let answers = try await onThread {
        let monitor = try RawMonitor(path)
        return Self.malformed.map { line in
          monitor.send(line + [0x0A])
          return monitor.line()
        }
      }
      for (line, answer) in zip(Self.malformed, answers) {
        let response = RPCResponse(json: try JSONValue(json: answer?.utf8 ?? "".utf8))
        guard case .failure(let error) = response?.outcome else {
          Issue.record("\(String(decoding: line.prefix(80), as: UTF8.self)): \(answer ?? "no answer")")
          continue
        }
        #expect(error.code != nil && error.code != .internalError, "\(error)")
        #expect(!error.message.isEmpty)
      }
      #expect(daemon.isRunning)
      #expect(try await daemon.takeStop().state == .finished)
      try await daemon.expectSound()
    }

    @Test("a hundred starts at once are one take, and so are a hundred stops")
    func manyStarts() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      func ask(_ method: String) async throws -> [JSONValue] {
        try await withThrowingTaskGroup(of: [JSONValue].self) { group in
          for _ in 0..<5 {
            group.addTask {
              let path = daemon.socket
              return try await onThread {
                let monitor = try RawMonitor(path)
                for id in 0..<20 { monitor.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"#) }
                return try (0..<20).map { _ in try JSONValue(json: (monitor.line() ?? "").utf8) }
              }
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
      }
      let starts = try await ask("recording.start")
      #expect(starts.count == 100)
      #expect(Set(starts.compactMap { $0["result"]?["take"]?.asString }).count == 1)
      #expect(starts.filter { $0["result"]?["alreadyRunning"]?.asBool == false }.count == 1)
      try await daemon.waitForPictures(1)
      let stops = try await ask("recording.stop")
      #expect(stops.filter { $0["result"]?["id"] == starts[0]["result"]?["take"] }.count == 100)
      #expect(try await daemon.json("takes", as: [TakeSummary].self).count == 1)
      try await daemon.expectSound()
    }

    @Test("no trouble fills the log: a thousand refused requests are a few lines and a count")
    func boundedLog() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let path = daemon.socket
      let answered = try await onThread {
        let monitor = try RawMonitor(path)
        let request = #"{"jsonrpc":"2.0","id":1,"method":"camera.get","params":{"camera":"nobody"}}"#
        return (0..<1000).filter { _ in
          monitor.send(request)
          return monitor.line()?.contains("camera.unknown") == true
        }.count
      }
      #expect(answered == 1000)
      #expect(daemon.log.count < 100, "\(daemon.log.suffix(5))")
      let end = await daemon.stop()
      #expect(end.errors.split(separator: "\n").count < 100)
    }

    @Test("a take writes its start and its end into the log, and nothing for each picture")
    func quietLog() async throws {
      let daemon = TestDaemon()
      try await daemon.start()
      let take = try await daemon.record(pictures: 60).take
      _ = try await daemon.takeStop()
      let end = await daemon.stop()
      let lines = end.errors.split(separator: "\n").filter { !$0.contains("A monitor connected") }
      #expect(lines.filter { $0.contains(take) }.count == 2, "\(end.errors)")
      #expect(lines.count < 30, "\(end.errors)")
    }
  }
}
