import CamrigModel
import HTTP
import Monitor
import Streaming
import TestSupport
import Testing

@Suite("Metrics", .timeLimit(.minutes(5)))
struct MetricsTests {
  private var status: RigStatus {
    var camera = CameraDescription(id: CameraID("usb-1"), name: "Left \"A\" \\ roof\nnew", state: .streaming)
    camera.stream = StreamStatus(frames: 300, lost: ["driverGap": 2, "broken": 1], measuredRate: 29.97)
    let dark = CameraDescription(id: CameraID("usb-2"), name: "Right", state: .offline)
    return RigStatus(
      version: "1.2.3", name: "Stage", started: WallTime(rfc3339: "2026-11-30T09:05:07.5Z")!, clock: .unsynchronised,
      armed: false,
      recording: RecordingStatus(
        take: "t", name: nil, started: WallTime(nanoseconds: 0), seconds: 12.5, stopping: false,
        cameras: [
          RecordingCameraStatus(
            camera: CameraID("usb-1"), name: "Left", clips: 1, frames: 299, bytes: 60_000_000, lost: 3, inGap: true)
        ]),
      storage: StorageStatus(
        directory: "/takes", freeBytes: 5_000_000_000, reserveBytes: 1_000_000_000, secondsLeft: nil, message: ""),
      cameras: [camera, dark], troubles: ["The disk is slow."])
  }

  @Test("each figure with its meaning, its kind and its camera; what is not known is not there")
  func text() {
    let lines = Metrics(
      status, previews: [CameraID("usb-1"): PreviewStatus(viewerCount: 2, shownCount: 100, skippedCount: 7)],
      sounds: [MicrophoneID("mic-1"): SoundStatus(listenerCount: 1, sentCount: 50, skippedCount: 4)], paired: 3,
      connected: 1
    ).text.split(separator: "\n").map(String.init)
    for line in [
      "# HELP camrig_camera_lost_frames_total Pictures of that stream that are lost, by cause.",
      "# TYPE camrig_camera_lost_frames_total counter",
      #"camrig_info{version="1.2.3"} 1"#,
      "camrig_start_time_seconds 1796029507.5",
      "camrig_problems 1",
      "camrig_clock_synchronised 0",
      #"camrig_camera_state{camera="usb-1",name="Left \"A\" \\ roof\nnew",state="streaming"} 1"#,
      #"camrig_camera_state{camera="usb-2",name="Right",state="offline"} 1"#,
      #"camrig_camera_frames_total{camera="usb-1"} 300"#,
      #"camrig_camera_lost_frames_total{camera="usb-1",cause="driverGap"} 2"#,
      #"camrig_camera_lost_frames_total{camera="usb-1",cause="broken"} 1"#,
      #"camrig_camera_frames_per_second{camera="usb-1"} 29.97"#,
      "camrig_recording 1",
      "camrig_recording_seconds 12.5",
      #"camrig_recording_frames_total{camera="usb-1"} 299"#,
      #"camrig_recording_lost_frames_total{camera="usb-1"} 3"#,
      #"camrig_recording_bytes_total{camera="usb-1"} 60000000"#,
      #"camrig_recording_gap{camera="usb-1"} 1"#,
      "camrig_disk_free_bytes 5000000000",
      "camrig_disk_reserve_bytes 1000000000",
      "camrig_monitors_paired 3",
      "camrig_monitors_connected 1",
      #"camrig_preview_viewers{camera="usb-1"} 2"#,
      #"camrig_preview_frames_sent_total{camera="usb-1"} 100"#,
      #"camrig_preview_frames_skipped_total{camera="usb-1"} 7"#,
      #"camrig_sound_listeners{microphone="mic-1"} 1"#,
      #"camrig_sound_messages_sent_total{microphone="mic-1"} 50"#,
      #"camrig_sound_messages_skipped_total{microphone="mic-1"} 4"#,
    ] { #expect(lines.contains(line), "\(line)") }
    for absent in ["camrig_disk_seconds_left", "camrig_camera_frames_total{camera=\"usb-2\""] {
      #expect(!lines.contains { $0.hasPrefix(absent) })
    }
  }

  @Test("Prometheus' own parser reads what a rig with a viewer says; a viewer's token will do, as a password, too")
  func parsed() async throws {
    let served = try await RigInNetwork(demo: 1)
    let token = try served.pair(.viewer)
    let base = "http://127.0.0.1:\(try served.port("http"))"
    let picture = await Program.ended("curl", ["-s", "-u", "any:\(token)", "\(base)/snapshot"], seconds: 60)
    #expect(picture.output.prefix(2) == [0xFF, 0xD8])
    let told = await Program.ended(
      "curl", ["-si", "-u", "any:\(token)", "\(base)/metrics"], seconds: 60
    ).text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
    #expect(told.hasPrefix("HTTP/1.1 200"))
    #expect(told.contains("\ncontent-type: text/plain; version=0.0.4; charset=utf-8\n"))
    let script = """
      import sys
      from prometheus_client.parser import text_string_to_metric_families
      for family in text_string_to_metric_families(sys.stdin.read()):
          assert family.documentation and family.type in ("gauge", "counter"), family
          for sample in family.samples: print(sample.name, sorted(sample.labels.items()), sample.value)
      """
    let body = told.split(separator: "\n\n", maxSplits: 1).last.map(String.init) ?? ""
    let read = await Program.ended("/usr/bin/python3", ["-c", script], input: Array((body + "\n").utf8), seconds: 60)
    #expect(read.status == 0, "\(read.errors)")
    #expect(read.text.contains("camrig_preview_frames_sent_total [('camera', 'test-1')] 1.0"), "\(read.text)")
    #expect(read.text.contains("camrig_monitors_paired [] 1.0"))
    let stranger = await Program.ended(
      "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "\(base)/metrics"], seconds: 60)
    #expect(stranger.text == "401")
    await served.end()
  }
}
