import CamrigModel
import HTTP
import Monitor
import RigControl
import Streaming
import TestSupport
import Testing

@Suite("What monitors see and do", .timeLimit(.minutes(5)), .serialized)
struct LiveTests {
  @Test("the state and its patches: whoever merges them has what a new monitor gets, and so does a second one")
  func state() async throws {
    let served = try await RigInNetwork()
    let client = try served.client()
    let token = try served.pair(.admin)
    let headers: HTTPHeaders = ["authorization": "Bearer \(token)"]
    let inboxes = [Inbox(), Inbox()]
    var sockets: [WebSocket] = []
    for inbox in inboxes {
      let socket = try await client.open(
        "/monitor", subprotocols: ["camrig.monitor.v1"], headers: headers, session: inbox)
      socket.send(RPCRequest(id: .number(1), method: "state.watch").json.text)
      sockets.append(socket)
      await eventually { inbox.answer(1) != nil }
    }
    sockets[0].send(
      RPCRequest(id: .number(2), method: "camera.rename", params: ["camera": "test-1", "name": "Left"]).json.text)
    sockets[0].send(RPCRequest(id: .number(3), method: "recording.start", params: ["name": "Talk"]).json.text)
    for inbox in inboxes {
      await eventually {
        let state = Self.merged(inbox)
        return state["cameras"]?["test-1"]?["name"] == "Left" && state["recording"]?["name"] == "Talk"
          && state["recording"]?["cameras"]?["test-2"]?["frames"]?.asInteger ?? 0 > 0
      }
    }
    sockets[0].send(RPCRequest(id: .number(4), method: "recording.stop").json.text)
    await eventually { inboxes[1].texts.contains { $0["method"] == "recording.stopped" } }
    for inbox in inboxes { await eventually { Self.merged(inbox)["recording"] == nil } }
    #expect(Self.merged(inboxes[0])["monitors"]?["1"] == ["name": "Phone", "role": "admin", "connected": true])
    let viewer = Inbox()
    let viewing: HTTPHeaders = ["authorization": "Bearer \(try served.pair(.viewer))"]
    let look = try await client.open(
      "/monitor", subprotocols: ["camrig.monitor.v1"], headers: viewing, session: viewer)
    look.send(RPCRequest(id: .number(1), method: "state.watch").json.text)
    await eventually { viewer.answer(1) != nil }
    #expect(Self.merged(viewer)["monitors"] == nil, "who else is paired is for admins")
    #expect(Self.merged(viewer)["controls"] != nil)

    // A new monitor gets what the others have put together.
    let fresh = Inbox()
    let socket = try await client.open(
      "/monitor", subprotocols: ["camrig.monitor.v1"], headers: headers, session: fresh)
    socket.send(RPCRequest(id: .number(1), method: "state.watch").json.text)
    await eventually { fresh.answer(1) != nil }
    await eventually { Self.merged(inboxes[1]) == Self.merged(fresh) }
    client.close()
    await served.end()
  }

  @Test("the end of a take at the end of the service is told before the connection closes")
  func lastWords() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let token = try served.pair(.viewer)
    let inboxes = [Inbox(), Inbox()]
    for (inbox, method) in zip(inboxes, ["state.watch", "rig.watch"]) {
      let socket = try await client.open(
        "/monitor", subprotocols: ["camrig.monitor.v1"], headers: ["authorization": "Bearer \(token)"], session: inbox)
      socket.send(RPCRequest(id: .number(1), method: method).json.text)
      await eventually { inbox.answer(1) != nil }
    }
    _ = try await served.rig.startRecording(RecordingStartRequest())
    await eventually { Self.merged(inboxes[0])["recording"] != nil }
    await served.end()
    for inbox in inboxes {
      await eventually { inbox.closing != nil }
      #expect(inbox.closing == .goingAway)
      #expect(inbox.texts.contains { $0["method"] == "recording.stopped" })
    }
    let last = Self.merged(inboxes[0])
    #expect(last["recording"] == nil)
    // The cameras were let go of, not unplugged.
    #expect(last["cameras"]?["test-1"]?["state"]?.asString.map { $0 != "offline" } == true)
    client.close()
  }

  /// The snapshot with all patches; a revision that does not follow is an issue.
  private static func merged(_ inbox: Inbox) -> JSONValue {
    guard let snapshot = inbox.answer(1)?["result"], var state = snapshot["state"],
      var revision = snapshot["revision"]?.asInteger
    else { return [:] }
    for text in inbox.texts where text["method"] == "state.changed" {
      guard let next = text["params"]?["revision"]?.asInteger, let patch = text["params"]?["patch"] else { continue }
      #expect(next == revision + 1)
      revision = next
      state = state.merged(with: patch)
    }
    return state
  }

  @Test("previews of two cameras over one WebSocket, by credit; a camera that nobody looks at closes again")
  func previews() async throws {
    let served = try await RigInNetwork()
    let client = try served.client()
    let token = try served.pair(.viewer)
    let inbox = Inbox()
    let socket = try await client.open(
      "/monitor/media", subprotocols: ["camrig.media.v1"], headers: ["authorization": "Bearer \(token)"], session: inbox
    )
    for (stream, camera) in [(7, "test-1"), (8, "Test pattern 2")] as [(Int64, String)] {
      socket.send(
        RPCRequest(
          id: .number(stream), method: "preview.start",
          params: ["stream": .integer(stream), "camera": .string(camera), "longEdge": 320, "credit": 2]
        ).json.text)
    }
    // Two of each without credit, and no more.
    await eventually { inbox.pictures.count == 4 }
    let first = inbox.pictures.compactMap { MediaHeader($0) }
    #expect(first.map(\.stream).sorted() == [7, 7, 8, 8])
    #expect(first.allSatisfy { $0.kind == .picture && $0.detail.width == 320 && $0.detail.height == 180 })
    #expect(inbox.pictures.allSatisfy { $0[32] == 0xFF && $0[33] == 0xD8 && $0.suffix(2) == [0xFF, 0xD9] })
    for _ in 0..<10 {
      let newest = inbox.pictures.compactMap { MediaHeader($0) }.filter { $0.stream == 7 }
      let sequence = try #require(newest.last).sequence
      socket.send(
        RPCNotification(
          method: "preview.credit", params: ["stream": 7, "sequence": .integer(Int64(sequence))]
        ).json.text)
      await eventually { inbox.pictures.compactMap { MediaHeader($0) }.filter { $0.stream == 7 }.count > newest.count }
    }
    let times = inbox.pictures.compactMap { MediaHeader($0) }.filter { $0.stream == 7 }.map(\.presentationMicroseconds)
    #expect(times == times.sorted())
    #expect(inbox.pictures.compactMap { MediaHeader($0) }.filter { $0.stream == 8 }.count == 2)

    socket.send(
      RPCRequest(id: .number(9), method: "preview.start", params: ["stream": 9, "camera": "attic"]).json.text)
    await eventually { inbox.answer(9)?["error"]?["data"]?["reason"] == "camera.unknown" }
    socket.close()
    await eventually { await served.rig.cameras().allSatisfy { $0.state == .idle } }
    client.close()
    await served.end()
  }

  @Test("sixteen cameras are all live over one WebSocket, twice over, and wishes are answered beside them")
  func sixteen() async throws {
    let served = try await RigInNetwork(demo: 16)
    let client = try served.client()
    let token = try served.pair(.operator)
    for number in 1...16 {
      let small: JSONValue = ["camera": .string("test-\(number)"), "size": "320x240", "rate": "5"]
      #expect(try await served.call(client, token, "camera.set", small)["result"] != nil)
    }
    let pages = [Inbox(), Inbox()]
    for inbox in pages {
      let socket = try await client.open(
        "/monitor/media", subprotocols: ["camrig.media.v1"], headers: ["authorization": "Bearer \(token)"],
        session: inbox)
      for stream in Int64(1)...16 {
        socket.send(
          RPCRequest(
            id: .number(stream), method: "preview.start",
            params: ["stream": .integer(stream), "camera": .string("test-\(stream)"), "credit": 2]
          ).json.text)
      }
    }
    for inbox in pages {
      await eventually {
        let streams = inbox.pictures.compactMap { MediaHeader($0)?.stream }
        return Set(streams).count == 16 && streams.count == 32
      }
    }
    #expect(try await served.call(client, token, "rig.version")["result"]?["protocolVersion"] == 1)
    client.close()
    await eventually { await served.rig.cameras().allSatisfy { $0.state == .idle } }
    await served.end()
  }

  @Test("pictures for tools: one, or a stream that ffmpeg reads; and the files of a take, whole, in part and played")
  func plain() async throws {
    let served = try await RigInNetwork(demo: 1)
    let port = try served.port("http")
    let token = try served.pair(.operator)
    let base = "http://127.0.0.1:\(port)"
    let auth = ["-s", "-H", "Authorization: Bearer \(token)"]
    let picture = await Program.ended("curl", auth + ["\(base)/?action=snapshot&longEdge=640"])
    #expect(picture.output.prefix(2) == [0xFF, 0xD8] && picture.output.suffix(2) == [0xFF, 0xD9])
    let stream = await Program.ended(
      "ffprobe",
      [
        "-v", "error", "-f", "mpjpeg", "-headers", "Authorization: Bearer \(token)\r\n", "-read_intervals", "%+#8",
        "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0",
        "\(base)/stream?camera=test-1&longEdge=320",
      ], seconds: 60)
    #expect(stream.text.hasPrefix("320,180,8"), "\(stream.text) \(stream.errors)")

    let started = try await served.rig.startRecording(RecordingStartRequest())
    await eventually { await served.rig.status().recording?.cameras.first?.frames ?? 0 > 40 }
    // What is still being written would have to be read whole.
    let early = await Program.ended(
      "curl", auth + ["\(base)/takes/\(started.take)/Test-pattern-1-001.mov/frames"])
    #expect(early.text.contains("once it is finished"))
    let take = try await served.rig.stopRecording()
    let clip = try #require(take.cameras.first?.clips.first)
    let url = "\(base)/takes/\(started.take)/\(clip.file)"
    let file = FileBytes.read(started.folder + "/" + clip.file)
    #expect(await Program.ended("curl", auth + [url]).output == file)
    #expect(await Program.ended("curl", auth + ["-r", "1000-1999", url]).output == Array(file[1000..<2000]))
    let head = await Program.ended("curl", auth + ["-I", url + "?download=1"]).text.lowercased()
    #expect(head.contains("content-disposition: attachment; filename=\"\(clip.file.lowercased())\""))
    #expect(head.contains("accept-ranges: bytes") && head.contains("etag:"))
    // Only asked for, never played.
    #expect(await Program.ended("curl", auth + ["-I", "\(url)/frames"]).text.hasPrefix("HTTP/1.1 200"))
    let played = await Program.ended("curl", auth + ["\(url)/frames?from=0.5"], seconds: 60)
    let pictures = played.output.count
    #expect(pictures > 20_000 && String(decoding: played.output.prefix(16), as: UTF8.self) == "--camrigpicture\r")
    for path in ["../settings.json", "%2e%2e%2fsettings.json", "take.json/..", "monitors.json"] {
      let answer = await Program.ended(
        "curl",
        auth + ["--path-as-is", "-o", "/dev/null", "-w", "%{http_code}", "\(base)/takes/\(started.take)/\(path)"])
      #expect(["400", "404"].contains(answer.text), "\(path): \(answer.text)")
    }
    await served.end()
  }

  @Test("the example in the documentation pairs, records, and saves pictures that ffprobe decodes")
  func example() async throws {
    let served = try await RigInNetwork(demo: 2)
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let url = try #require(served.link.status.urls.first { $0.hasPrefix("https:") }).dropLast()
    let code = try served.desk.offer(.operator).code
    let run = await Program.ended(
      "/bin/sh",
      [
        "-c", "cd \"$1\" && exec /usr/bin/python3 \"$2\" \"$3\" \"$4\" \"$5\"", "sh", served.directory.path,
        root + "/docs/examples/monitor.py", String(url), served.link.fingerprint.description, code,
      ], seconds: 60)
    let take = try #require(await served.rig.takes(limit: 1).first)
    #expect(run.status == 0 && run.text.hasPrefix(take.id), "\(run.text) \(run.errors)")
    #expect(take.cameras == 2)
    let probe = await Program.ended(
      "ffprobe",
      [
        "-v", "error", "-f", "mjpeg", "-count_frames", "-show_entries", "stream=width,nb_read_frames", "-of", "csv=p=0",
        served.directory.path + "/preview.mjpeg",
      ], seconds: 60)
    let found = probe.text.split(separator: "\n").first?.split(separator: ",").compactMap { Int($0) } ?? []
    #expect(found.count == 2 && found.last ?? 0 > 5, "\(probe.text) \(probe.errors)")
    // Another rig than the one whose fingerprint was compared gets nothing, not even the code.
    let other = await Program.ended(
      "/usr/bin/python3",
      [root + "/docs/examples/monitor.py", String(url), "sha256:" + String(repeating: "0", count: 64), code],
      seconds: 60)
    #expect(other.status == 1 && other.errors.contains("is not the rig"))
    await served.end()
  }

  @Test("a port that is taken is named in the status, and the rig goes on; two rigs have certificates of their own")
  func taken() async throws {
    let first = try await RigInNetwork(demo: 0)
    let port = try first.port("https")
    let second = try await RigInNetwork(demo: 0) {
      $0.listen = [.network(address: "127.0.0.1", port: port)]
      $0.plainListen = []
      $0.retry = .milliseconds(20)
    }
    #expect(second.link.status.urls.isEmpty)
    #expect(second.link.status.problems.contains { $0.contains("127.0.0.1:\(port) is taken") })
    #expect(second.link.fingerprint != first.link.fingerprint)
    await first.end()
    // Once it is free it is taken, without anybody's doing.
    await eventually { second.link.status.problems.isEmpty && !second.link.status.urls.isEmpty }
    #expect(second.link.status.urls == ["https://127.0.0.1:\(port)/"])
    await second.end()
  }
}
