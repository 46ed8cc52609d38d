import CamrigModel
import CaptureSupport
import Monitor
import RigControl
import TestSupport
import Testing
import struct Settings.Configuration
import class Settings.SettingsStore

@Suite("Proofs of takes beside other wishes", .timeLimit(.minutes(5)))
struct ProofTests {
  private let request = RPCRequest(id: .number(1), method: "take.verify", params: ["take": "none"])

  @Test("they hold up no other wish of their connection, four at once; a fifth is waited for like any other")
  func beside() async throws {
    let directory = TemporaryDirectory()
    let sink = RecordingLogSink()
    let rig = Rig(
      Rig.Parts(
        configuration: Configuration(), stateDirectory: directory.path, finder: FakeFinder(),
        settings: SettingsStore(path: directory.path + "/settings.json", log: sink.log), log: sink.log))
    try await rig.start()
    let session = RigDispatcher(rig: rig, log: sink.log).begin(
      Peer(connection: 1, .process(pid: 1, uid: 0, gid: 0), role: .admin))
    var waiting: [@Sendable () async -> RPCResponse.Outcome] = []
    for _ in 0..<4 { waiting.append(try #require(later(await session.handle(request)))) }
    let fifth = await session.handle(request)
    #expect(later(fifth) == nil)
    for work in waiting {
      guard case .failure(let error) = await work() else {
        Issue.record("there is no such take")
        continue
      }
      #expect(error.reason == RigErrorCode.takeUnknown.rawValue)
    }
    #expect(later(await session.handle(request)) != nil)
    session.end()
    await rig.shutdown()
  }

  private func later(_ reply: RPCReply) -> (@Sendable () async -> RPCResponse.Outcome)? {
    if case .later(let work) = reply { work } else { nil }
  }
}
