import CamrigModel
import Glibc
import TestSupport
import Testing

extension DaemonTests {
  /// An emulated camera whose controls have every type, automatics, and a driver that forgets.
  @Suite("The controls of its cameras", .enabled(if: FakeCam.bed != nil, "libumockdev-dev is not installed"))
  struct Controls {
    private static let cameras = """
      [cam0]
      path = /dev/video0
      card = Front
      bus_info = usb-0000:00:14.0-1
      serial = 200901010001
      vendor = 046d
      product = 0825
      format = MJPG 640x480 30 size=20000
      control = brightness int min=-64 max=64 step=8 def=0 forgets
      control = contrast int min=0 max=100 def=50 resets
      control = gain_automatic bool def=1
      control = gain int min=0 max=255 def=10 auto=gain_automatic manual=0
      control = auto_exposure menu menu=|Manual_Mode||Aperture_Priority_Mode def=3
      control = exposure_time_absolute int min=3 max=2047 def=250 auto=auto_exposure manual=1
      control = focus_absolute int min=0 max=250 def=0 error=5
      control = zoom_absolute int min=100 max=500 step=50 def=100
      control = big int64 id=0x0098f901 min=-9223372036854775808 max=9223372036854775807 def=1
      control = word string id=0x0098f902 min=2 max=8 text=hello
      control = bits bitmask id=0x0098f903 max=0x80000007 def=1
      control = push button id=0x0098f904
      control = table array id=0x0098f905

      """

    private func start(_ daemon: TestDaemon, cameras: String = Self.cameras) async throws {
      try await daemon.start(cameras: cameras)
    }

    private func controls(_ daemon: TestDaemon) async throws -> [String: ControlDescription] {
      let list = try await daemon.json("controls", "Front", as: [ControlDescription].self)
      return Dictionary(list.map { ($0.key, $0) }) { first, _ in first }
    }

    private func set(_ daemon: TestDaemon, _ words: String...) async throws -> ControlOutcome {
      let run = await daemon.ctl(["set", "Front"] + words + ["--json"])
      return try JSONValue(json: run.output).decode(ControlOutcome.self)
    }

    @Test("every type is listed and set exactly, a menu's gaps are no items, one failure costs none of the others")
    func types() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      let listed = try await controls(daemon)
      #expect(listed.count == 13)
      #expect(listed["auto_exposure"]?.items == [1: "Manual Mode", 3: "Aperture Priority Mode"])
      #expect(listed["gain"]?.flags == [.inactive])
      #expect(listed["table"]?.type == .unsupported)
      #expect(daemon.cameraWrites == [])

      let outcome = try await set(
        daemon, "big=0x7fffffffffffffff", "word=12345678", "bits=0x80000005", "push=1", "zoom=340", "focus=20",
        "gain=99",
        "exposure_absolute=123", "auto_exposure_priority=1")
      #expect(
        outcome.granted == [
          "big": .number(.max), "word": .text("12345678"), "bits": .number(0x8000_0005), "push": .number(1),
          "zoom_absolute": .number(350), "gain": .number(99), "gain_automatic": .bool(false),
          "exposure_time_absolute": .number(123), "auto_exposure": .number(1),
        ])
      #expect(outcome.refused.keys.sorted() == ["auto_exposure_priority", "focus_absolute"])
      #expect(outcome.reasons?["focus_absolute"]?.code == "control.device", "\(outcome)")
      #expect(outcome.reasons?["auto_exposure_priority"] == ControlReason(.unknown), "\(outcome)")
      let now = try await controls(daemon)
      for (key, value) in outcome.granted where key != "push" { #expect(now[key]?.value == value, "\(key)") }
      #expect(now["gain"]?.flags == [])
      let impossible = try await set(daemon, "auto_exposure=2")
      #expect(
        impossible.refused["auto_exposure"]
          == "auto_exposure has no item 2. It has 1 (Manual Mode), 3 (Aperture Priority Mode).")
      #expect(impossible.reasons == ["auto_exposure": ControlReason(.noSuchItem)])
      #expect(!daemon.cameraWrites.contains { $0.hasPrefix("Auto Exposure=2") })

      let table = await daemon.ctl("controls", "Front")
      #expect(table.text.contains("zoom_absolute") && table.text.contains("100 to 500 in steps of 50"), "\(table.text)")
    }

    @Test("what was set comes back after a replug, a restart, and a STREAMON that loses it")
    func kept() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      _ = try await set(daemon, "brightness=32", "contrast=70", "zoom=300")
      try await daemon.record(pictures: 1)
      // The driver forgets one without saying so, the other so that it can be read.
      try await wait("both again after STREAMON") {
        let writes = daemon.cameraWrites
        let after = writes.lastIndex { $0.hasPrefix("STREAMON") }.map { writes[$0...] } ?? []
        return after.contains("Brightness=32 ok") && after.contains("Contrast=70 ok")
      }
      try await daemon.tellCameras("unplug", "0")
      try await wait("the gap") {
        try await daemon.json("status", as: RigStatus.self).recording?.cameras.first?.inGap == true
      }
      let before = daemon.cameraWrites.count
      try await daemon.tellCameras("plug", "0")
      try await wait("all again after the replug") {
        Set(daemon.cameraWrites.dropFirst(before)).isSuperset(of: [
          "Brightness=32 ok", "Contrast=70 ok", "Zoom Absolute=300 ok",
        ])
      }
      _ = try await daemon.takeStop()
      await daemon.stop()
      let first = daemon.cameraWrites.count
      try await start(daemon)
      try await wait("all again after the restart") {
        Set(daemon.cameraWrites.dropFirst(first)).isSuperset(of: [
          "Brightness=32 ok", "Contrast=70 ok", "Zoom Absolute=300 ok",
        ])
      }
    }

    /// Of all pixels of a picture as the rig gives it, 0 to 255.
    private func brightness(_ daemon: TestDaemon) async throws -> Int {
      let path = daemon.directory.path + "/run/seen.jpg"
      let shown = await daemon.ctl("snapshot", "--camera", "Front", "--output", path)
      #expect(shown.status == 0, "\(shown.errors)")
      let grey = await Program.ended("djpeg", ["-grayscale", "-pnm", path]).output
      // P5, the size, the white, and a byte for each pixel.
      let pixels = grey.suffix(320 * 240)
      return pixels.isEmpty ? 0 : pixels.reduce(0) { $0 + Int($1) } / pixels.count
    }

    @Test(
      "what was set shows in the pictures, though STREAMON loses it and the driver reads back the wish",
      arguments: [("uvcvideo", ""), ("facetimehd", "filters")])
    func showsInPictures(_ driver: String, _ flaw: String) async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(
        daemon,
        cameras: """
          [cam0]
          path = /dev/video0
          card = Front
          driver = \(driver)
          bus_info = usb-0000:00:14.0-1
          vendor = 046d
          product = 0825
          format = YUYV 320x240 30
          control = brightness int min=0 max=255 def=128 forgets luma \(flaw)

          """)
      _ = try await set(daemon, "brightness=250")
      try await daemon.record(pictures: 1)
      try await wait("light pictures") { try await brightness(daemon) > 225 }
      #expect(try await controls(daemon)["brightness"]?.value == .number(250))
      _ = try await daemon.takeStop()
    }

    @Test("a camera that takes seconds to obey loses no picture, and a flood of values is few writes of it")
    func slow() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      try await daemon.record(pictures: 5)
      try await daemon.tellCameras("slow", "0", "2500")
      let socket = daemon.socket
      let answers = try await onThread {
        func wish(_ zoom: Int) -> String {
          #"{"jsonrpc":"2.0","id":1,"method":"control.set","params":{"camera":"Front","values":{"zoom":\#(zoom)}}}"#
        }
        // One after another answers each connection.
        let monitors = try (0..<20).map { _ in try RawMonitor(socket) }
        for (index, monitor) in monitors.enumerated() { monitor.send(wish(100 + index * 10)) }
        var answers = [monitors[0].line() ?? ""]
        monitors[0].send(wish(450))
        for monitor in monitors { answers.append(monitor.line() ?? "") }
        return answers
      }
      #expect(answers.contains { $0.contains("has not answered within 2 s") })
      try await wait("the last value") { daemon.cameraWrites.contains("Zoom Absolute=450 ok") }
      // The first that came, the latest when that was done, and the last of all.
      #expect(daemon.cameraWrites.filter { $0.hasPrefix("Zoom") }.count <= 3)
      let take = try await daemon.takeStop()
      #expect(take.cameras.allSatisfy { $0.lost.isEmpty && $0.gaps.isEmpty })
      try await daemon.expectSound()
    }

    @Test("a drag over three sliders that waits for no answer is few writes, and ends at its last values at once")
    func drag() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      try await daemon.tellCameras("slow", "0", "50")
      let socket = daemon.socket
      let answers = try await onThread {
        let monitor = try RawMonitor(socket)
        var wishes: [String] = []
        for step in 1...200 {
          let values = [("zoom_absolute", 100 + step * 2), ("brightness", step * 8 % 64), ("contrast", step / 2)]
          for (index, (key, value)) in values.enumerated() {
            let params = #"{"camera":"Front","values":{"\#(key)":\#(value)}}"#
            wishes.append(
              #"{"jsonrpc":"2.0","id":\#(step * 3 + index),"method":"control.set","params":\#(params)}"#)
          }
        }
        monitor.send(wishes.joined(separator: "\n"))
        return try (0..<600).map { _ in try JSONValue(json: (monitor.line() ?? "").utf8) }
      }
      // Each of the last ones is what the camera has then.
      let last = answers.filter { $0["id"]?.asInteger ?? 0 >= 600 }.compactMap { $0["result"]?["granted"]?.asObject }
      #expect(last.count == 3)
      #expect(
        last.reduce(into: [String: JSONValue]()) { $0.merge($1) { $1 } }
          == ["zoom_absolute": 500, "brightness": 0, "contrast": 100])
      let written = daemon.cameraWrites
      for end in ["Zoom Absolute=500 ok", "Brightness=0 ok", "Contrast=100 ok"] {
        #expect(written.last { $0.hasPrefix(end.prefix(5)) } == end)
      }
      #expect(written.count <= 60, "a tenth of what was sent: \(written.count)")
      #expect(answers.allSatisfy { $0["result"] != nil })
    }

    @Test("a camera that gets slow in low light says so, with the cure, and its take has every picture at its time")
    func lowLight() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(
        daemon,
        cameras: Self.cameras.replacing(
          "control = zoom", with: "control = exposure_dynamic_framerate bool def=1\ncontrol = zoom"))
      try await daemon.record(pictures: 10)
      try await daemon.tellCameras("rate", "0", "15")
      try await wait("the hint") {
        try await daemon.json("camera", "show", "Front", as: CameraDescription.self).hints?.contains {
          $0.contains("of 30 pictures a second come") && $0.contains("keep-frame-rate=on")
        } == true
      }
      #expect(
        try await set(daemon, "keep-frame-rate=on").granted == ["exposure_dynamic_framerate": .bool(false)])
      let take = try await daemon.takeStop()
      let camera = try #require(take.cameras.first)
      #expect(camera.lost.isEmpty && camera.gaps.isEmpty && camera.clips.count == 1)
      let clip = try #require(camera.clips.first)
      // At 30 a second for a moment, then at 15: the pictures lie where they were made.
      let seconds = (clip.lastTime - clip.firstTime).inSeconds
      #expect(seconds > Double(clip.frames - 1) / 30 * 1.5)
      let shown = await Program.ended(
        "ffprobe",
        [
          "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
          "\(daemon.takes)/\(take.id)/\(clip.file)",
        ])
      let duration = Double(shown.text.split(separator: "\n").first ?? "") ?? 0
      #expect(abs(duration - seconds) < 0.1, "\(duration) s in the file, \(seconds) s on the clock")
      try await daemon.expectSound()
    }

    @Test("a hundred lists while recording write nothing and lose nothing; what others turn is told")
    func listing() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      try await daemon.record(pictures: 5)
      // The settings are empty: nothing is set after STREAMON.
      let client = try ControlClient(path: daemon.socket)
      for _ in 0..<100 { _ = try client.call("control.list", ["camera": "Front"], timeout: .seconds(30)) }
      #expect(daemon.cameraWrites.allSatisfy { $0.hasPrefix("STREAMON") })
      _ = try client.call("rig.watch", [:], timeout: .seconds(30))
      try await daemon.tellCameras("ctrl", "0", "zoom_absolute", "250")
      var told: JSONValue?
      while told == nil, let event = try client.nextNotification() {
        guard event.method == "control.changed" else { continue }
        told = event.params["controls"]?.asArray?.first { $0["key"] == "zoom_absolute" && $0["value"] == 250 }
      }
      #expect(told != nil)
      let take = try await daemon.takeStop()
      #expect(take.cameras.allSatisfy { $0.lost.isEmpty })
    }

    @Test("exported controls are a file for another day, and reset forgets")
    func exports() async throws {
      let daemon = TestDaemon(demo: 0)
      try await start(daemon)
      _ = try await set(daemon, "zoom=300", "gain=77")
      let export = await daemon.ctl("controls", "export", "Front")
      let file = daemon.directory.path + "/run/front.json"
      FileBytes.write(export.output, to: file)
      let run = await daemon.ctl("controls", "reset", "Front", "--json")
      #expect(run.status == ExitStatus.unavailable.rawValue, "one of them cannot be reset")
      let reset = try JSONValue(json: run.output).decode(ControlOutcome.self)
      #expect(reset.granted["zoom_absolute"] == .number(100))
      #expect(reset.refused.keys.sorted() == ["focus_absolute"], "it fails, whatever is asked")
      #expect(try await controls(daemon)["gain_automatic"]?.value == .bool(true))
      let imported = await daemon.ctl("controls", "import", "Front", file)
      #expect(imported.text.contains("zoom_absolute=300"), "\(imported.text)\(imported.errors)")
      let now = try await controls(daemon)
      #expect(now["zoom_absolute"]?.value == .number(300))
      #expect(now["gain"]?.value == .number(77), "\(imported.text)\(imported.errors)")
    }

    @Test("a timelapse's pictures say how long they were exposed, though nobody watches the controls")
    func exposureUnwatched() async throws {
      let daemon = TestDaemon()
      try await start(
        daemon,
        cameras: Self.cameras.replacing("Aperture_Priority_Mode def=3", with: "Aperture_Priority_Mode def=1"))
      let started = try await daemon.json(
        "timelapse", "start", "Front", "--interval", "1", as: TimelapseStarted.self)
      @Sendable func last() async throws -> String? {
        try await daemon.json("timelapse", "list", as: [TimelapseRecord].self).first?.cameras.first?.last
      }
      // Longer than the controls stay open by themselves after the camera came.
      try await wait("the fifth picture") {
        try await last().flatMap { TimelapsePicture.number($0, of: "Front") } ?? 0 >= 5
      }
      let picture = try #require(try await last())
      let exif = await Program.ended("exiftool", ["-n", "-s3", "-ExposureTime", "\(started.folder)/\(picture)"])
      #expect(exif.lines == ["0.025"], "\(exif.text)\(exif.errors)")
    }
  }
}
