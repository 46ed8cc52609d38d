import CamrigModel
import Monitor
import TestSupport
import Testing

@Suite("camrigctl watch", .timeLimit(.minutes(5)))
struct WatchCommandTests {
  private func watch(_ notes: [RPCNotification], _ options: String...) async throws -> Program {
    let server = try ServerUnderTest()
    server.rig.notes.withLock { $0 = notes }
    let run = await Program.ended(
      FakeCam.builtDirectory + "/camrigctl", ["--socket", server.path, "watch", "--count", "\(notes.count)"] + options)
    server.server.stop()
    return run
  }

  private let notes = [
    RPCNotification(method: "rig.events-lost", params: ["lost": 88]),
    RPCNotification(method: "recording.armed", params: ["armed": true]),
  ]

  @Test("says where events were lost how many, and where to look instead")
  func lost() async throws {
    let run = try await watch(notes)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.lines == [
        "EVENTS LOST: 88, since this monitor did not keep up. What holds now says: camrigctl status", "armed",
      ])
    let json = try await watch(notes, "--json")
    #expect(json.lines.first == #"{"event":"rig.events-lost","params":{"lost":88}}"#)
  }
}
