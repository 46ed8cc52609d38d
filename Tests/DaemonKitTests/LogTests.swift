import CamrigModel
import DaemonKit
import TestSupport
import Testing

@Suite("The journal's lines")
struct LogTests {
  private func fields(_ line: LogLine) -> [String] {
    JournalSink.fields(of: line).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a line has the fields that people search by")
  func journalFields() {
    let line = LogLine(
      level: .warning, message: "no pictures\nfor 3 s", event: .cameraStalled, camera: CameraID("usb-1"),
      take: "20261130T090507Z", fields: ["CAMRIG_PEER_UID": "1000"])
    #expect(
      fields(line) == [
        "MESSAGE=[usb-1] no pictures\nfor 3 s", "PRIORITY=4", "SYSLOG_IDENTIFIER=camrigd",
        "MESSAGE_ID=5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a15", "CAMRIG_CAMERA=usb-1", "CAMRIG_TAKE=20261130T090507Z",
        "CAMRIG_PEER_UID=1000",
      ])
  }

  @Test("a field that the journal would refuse does not cost the line")
  func wrongFields() {
    let line = LogLine(level: .info, message: "x", fields: ["lower": "1", "_A": "1", "": "1", "A=B": "1", "A_1": "1"])
    #expect(fields(line) == ["MESSAGE=x", "PRIORITY=6", "SYSLOG_IDENTIFIER=camrigd", "A_1=1"])
  }

  @Test("on a terminal it is one plain line, whatever a device calls itself")
  func standardError() {
    let line = LogLine(level: .error, message: "\u{1B}[31m cam\n2", camera: CameraID("usb-1"), fields: [:])
    #expect(StandardErrorSink.text(of: line) == "error: [usb-1]  [31m cam 2\n")
    #expect(StandardErrorSink.text(of: LogLine(level: .info, message: "ready", fields: [:])) == "ready\n")
  }

  @Test("what is below the level is not even put together")
  func level() {
    let sink = RecordingLogSink()
    var made = 0
    func text() -> String {
      made += 1
      return "x"
    }
    let log = Log(sink, lowest: .warning)
    log.info(text())
    log.warning(text())
    #expect(sink.lines.map(\.level) == [.warning])
    #expect(made == 1)
  }

  @Test("the journal is used only where standard error leads to it")
  func detection() {
    #expect(!JournalSink.isOurs(Environment([:])))
    #expect(!JournalSink.isOurs(Environment(["JOURNAL_STREAM": "1:2"])))
    #expect(!JournalSink.isOurs(Environment(["JOURNAL_STREAM": "x"])))
  }
}
