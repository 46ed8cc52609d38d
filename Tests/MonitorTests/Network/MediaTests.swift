import CamrigModel
import Glibc
import HTTP
import Monitor
import RigControl
import Streaming
import TestSupport
import Testing

@Suite("Sound and files on the media socket", .timeLimit(.minutes(5)), .serialized)
struct MediaTests {
  private func open(
    _ served: RigInNetwork, _ client: HTTPClient, _ session: any WebSocketSession
  ) async throws -> WebSocket {
    try await client.open(
      "/monitor/media", subprotocols: ["camrig.media.v1"],
      headers: ["authorization": "Bearer \(try served.pair(.viewer))"], session: session)
  }

  private func ask(_ socket: WebSocket, _ id: Int64?, _ method: MediaMethod, _ params: JSONValue) {
    socket.send(RPCRequest(id: id.map { .number($0) }, method: method.rawValue, params: params).json.text)
  }

  // MARK: Sound

  @Test("a viewer hears a test pattern's microphone: a beep of 1 kHz at the begin of each second of the rig's clock")
  func beep() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let listener = Listener(stream: 4)
    let socket = try await open(served, client, listener)
    let microphone = try #require(await served.rig.microphoneList().first)
    ask(socket, 1, .soundStart, ["stream": 4, "microphone": .string(microphone.name), "credit": 25])
    await eventually { listener.answer != nil }
    #expect(
      listener.answer?["result"] == ["stream": 4, "microphone": .string(microphone.id.rawValue), "rate": 48000])
    await eventually { listener.sound.beeps.count >= 3 }
    let beeps = listener.sound.beeps
    for beep in beeps {
      #expect(abs(beep.offBySeconds) < 0.005, "\(beep)")
      #expect(abs(beep.hertz - 1000) < 5 && abs(beep.seconds - 0.1) < 0.005, "\(beep)")
    }

    // Muted it is silent, and goes on.
    _ = try await served.rig.setMicrophone(
      MicrophoneSetRequest(microphone: microphone.id.rawValue, muted: true))
    let heard = listener.sound.count
    await eventually { listener.sound.count > heard + 100 }
    #expect(listener.sound.isSilent(lastMessages: 60))

    // A microphone that nobody listens to any more closes again.
    await eventually { await served.rig.microphoneList().first?.state == .streaming }
    ask(socket, nil, .soundStop, ["stream": 4])
    await eventually { await served.rig.microphoneList().first?.state == .idle }
    client.close()
    await served.end()
  }

  @Test("a listener that grants no credit gets as much as it granted and costs the others and the recording nothing")
  func noCredit() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let mute = Inbox()
    let silent = try await open(served, client, mute)
    let listener = Listener(stream: 1)
    let socket = try await open(served, client, listener)
    let name = try #require(await served.rig.microphoneList().first?.name)
    ask(silent, 1, .soundStart, ["stream": 1, "microphone": .string(name), "credit": 3])
    ask(socket, 1, .soundStart, ["stream": 1, "microphone": .string(name), "credit": 25])
    _ = try await served.rig.startRecording(RecordingStartRequest())
    await eventually { mute.pictures.count == 3 && listener.sound.count > 150 }
    #expect(mute.pictures.count == 3)
    #expect(mute.pictures.compactMap { MediaHeader($0) }.allSatisfy { $0.kind == .sound && $0.detail.frames == 960 })
    let take = try await served.rig.stopRecording()
    let sound = try #require(take.cameras.first?.clips.first?.microphones?.first)
    #expect(sound.silence.isEmpty, "\(sound.silence)")
    // With credit it goes on, with the newest; what it missed is counted.
    ask(silent, nil, .soundCredit, ["stream": 1, "sequence": 2])
    await eventually { mute.pictures.count == 6 }
    let next = try #require(mute.pictures.dropFirst(3).first.flatMap { MediaHeader($0) })
    #expect(next.sequence == 3 && next.detail.skipped > 100)
    client.close()
    await served.end()
  }

  @Test("what cannot be heard is said: to a request in its answer, to a notification as sound.ended")
  func refused() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let inbox = Inbox()
    let socket = try await open(served, client, inbox)
    ask(socket, 7, .soundStart, ["stream": 1, "microphone": "attic"])
    await eventually { inbox.answer(7)?["error"]?["data"]?["reason"] == "microphone.unknown" }
    ask(socket, nil, .soundStart, ["stream": 2, "microphone": "attic"])
    await eventually { inbox.texts.contains { $0["method"] == "sound.ended" && $0["params"]?["stream"] == 2 } }
    client.close()
    await served.end()
  }

  @Test("tools that know only HTTP get an endless WAV that ffmpeg reads, or a sentence")
  func wave() async throws {
    let served = try await RigInNetwork(demo: 1)
    let base = "http://127.0.0.1:\(try served.port("http"))"
    let token = try served.pair(.viewer)
    let probe = await Program.ended(
      "ffprobe",
      [
        "-v", "error", "-headers", "Authorization: Bearer \(token)\r\n", "-read_intervals", "%+#20", "-show_entries",
        "stream=codec_name,sample_rate,channels", "-of", "csv=p=0", "\(base)/sound",
      ], seconds: 60)
    #expect(probe.text.hasPrefix("pcm_s16le,48000,2"), "\(probe.text) \(probe.errors)")
    let unknown = await Program.ended("curl", ["-s", "-u", "any:\(token)", "\(base)/sound?microphone=attic"])
    #expect(unknown.text.contains("attic"), "\(unknown.text)")
    await eventually { await served.rig.microphoneList().first?.state == .idle }
    await served.end()
  }

  @Test("the example in the documentation hears it, by TLS, with the rig's authority alone")
  func example() async throws {
    let served = try await RigInNetwork(demo: 1)
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let url = try #require(served.link.status.urls.first { $0.hasPrefix("https:") }).dropLast()
    let token = try served.pair(.viewer)
    let run = await Program.ended(
      "bash",
      [
        "-c",
        "cd \"$1\" && curl -sk \"$2/ca.crt\" | openssl x509 -inform der -out rig.pem && "
          + "/usr/bin/python3 \"$3\" \"$2\" \"$4\" test-1 | head -c 192000 | tr -d '\\000' | wc -c",
        "sh", served.directory.path, String(url), root + "/docs/examples/listen.py", token,
      ], seconds: 60)
    // Two seconds: two beeps of a tenth, all else is silence.
    #expect((10_000...24_000).contains(Int(run.text.filter(\.isNumber)) ?? 0), "\(run.text) \(run.errors)")
    await served.end()
  }

  // MARK: Files

  @Test("a file comes byte for byte, whole or from an offset on, in pieces of which only so many are on their way")
  func files() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let started = try await served.rig.startRecording(RecordingStartRequest())
    await eventually { await served.rig.status().recording?.cameras.first?.frames ?? 0 > 30 }
    let take = try await served.rig.stopRecording()
    let clip = try #require(take.cameras.first?.clips.first)
    let path = "/takes/\(started.take)/\(clip.file)"
    let file = FileBytes.read(started.folder + "/" + clip.file)
    #expect(file.count > 200_000)
    for (offset, length) in [(0, nil), (1000, 70_000), (file.count - 5, nil), (0, 1), (file.count, nil)]
      as [(Int, Int?)]
    {
      let fetch = FileFetch(stream: 3)
      let socket = try await open(served, client, fetch)
      var params: [String: JSONValue] = ["stream": 3, "path": .string(path), "offset": .integer(Int64(offset))]
      params["length"] = length.map { .integer(Int64($0)) }
      ask(socket, 1, .fileStart, .object(params))
      await eventually { fetch.isWhole }
      #expect(fetch.answer?["result"]?["bytes"] == .integer(Int64(file.count)))
      #expect(
        fetch.bytes == Array(file[offset..<(length.map { offset + $0 } ?? file.count)]), "\(offset) \(length ?? 0)")
      #expect(fetch.isOrdered(from: UInt64(offset)))
      socket.close()
    }

    // Without an acknowledgement two pieces come, and no more: not even while others come on the same connection.
    let inbox = Inbox()
    let socket = try await open(served, client, inbox)
    ask(socket, 1, .fileStart, ["stream": 5, "path": .string(path), "credit": 2])
    ask(socket, 2, .fileStart, ["stream": 6, "path": .string(path), "credit": 1, "offset": 100, "length": 10])
    await eventually { inbox.pictures.count == 3 }
    ask(socket, 3, .fileStart, ["stream": 6, "path": .string("/takes/\(started.take)/take.json")])
    await eventually { inbox.pictures.compactMap { MediaHeader($0) }.filter { $0.stream == 6 }.count == 2 }
    let pieces = inbox.pictures.compactMap { MediaHeader($0) }
    #expect(pieces.filter { $0.stream == 5 }.map(\.detail.offset) == [0, 32768])
    #expect(pieces.filter { $0.stream == 6 }.allSatisfy { $0.flags == .last })
    ask(socket, nil, .fileCredit, ["stream": 5, "sequence": 1])
    await eventually { inbox.pictures.compactMap { MediaHeader($0) }.filter { $0.stream == 5 }.count == 4 }

    // The rules of HTTP: what stands in the manifest, and nothing beside it.
    let refusals: [(String, String)] = [
      ("/takes/\(started.take)/../take.json", "params.invalid"), ("/takes/\(started.take)/..", "take.unknown"),
      ("/takes/\(started.take)/nothing.mov", "take.unknown"), ("/takes/../settings.json", "take.unknown"),
      ("/etc/passwd", "params.invalid"), ("/shots/x/y.jpg", "shot.unknown"),
      ("/timelapses/x/y.jpg", "timelapse.unknown"),
    ]
    for (number, (path, reason)) in refusals.enumerated() {
      let id = Int64(number + 20)
      ask(socket, id, .fileStart, ["stream": 9, "path": .string(path)])
      await eventually { inbox.answer(id) != nil }
      #expect(inbox.answer(id)?["error"]?["data"]?["reason"] == .string(reason), "\(path): \(inbox.answer(id) ?? [:])")
    }
    ask(socket, 40, .fileStart, ["stream": 9, "path": .string(path), "offset": .integer(Int64(file.count + 1))])
    await eventually { inbox.answer(40)?["error"]?["data"]?["reason"] == "params.invalid" }
    client.close()
    await served.end()
  }

  @Test("a volume that hangs holds up its own files alone, and says so when its time is over")
  func hangingVolume() async throws {
    let served = try await RigInNetwork(
      demo: 1,
      configure: { configuration, directory in
        configuration.storage.mediaDirectory = directory.path + "/first"
        configuration.storage.secondDirectory = directory.path + "/second"
        mkdir(directory.path + "/second", 0o700)
      })
    let client = try served.client()
    var clips: [String] = []
    // The first directory is not there yet.
    for _ in 0..<2 {
      _ = try await served.rig.startRecording(RecordingStartRequest())
      let take = try await served.rig.stopRecording()
      clips.append("/takes/\(take.id)/" + (try #require(take.cameras.first?.clips.first?.file)))
      mkdir(served.directory.path + "/first", 0o700)
    }
    let parts = clips[1].split(separator: "/").map(String.init)
    let volume = try await served.rig.takeFile(parts[1], parts[2]).volume
    #expect(volume.path == served.directory.path + "/first")
    // Begun before: its next piece does not come.
    let inbox = Inbox()
    let socket = try await open(served, client, inbox)
    ask(socket, 1, .fileStart, ["stream": 1, "path": .string(clips[1]), "credit": 1])
    await eventually { !inbox.pictures.isEmpty }

    let hanging = HangingVolume(volume)
    ask(socket, 2, .fileStart, ["stream": 2, "path": .string(clips[1])])
    let fetch = FileFetch(stream: 3)
    let other = try await open(served, client, fetch)
    ask(other, 1, .fileStart, ["stream": 3, "path": .string(clips[0])])
    // Behind one that hangs, on the same connection.
    ask(socket, 3, .fileStart, ["stream": 4, "path": .string(clips[0]), "length": 10])
    await eventually { fetch.isWhole && inbox.answer(3)?["result"] != nil }
    #expect(inbox.answer(2) == nil)
    let page = try await client.send(
      .get, clips[0], headers: ["authorization": "Bearer \(try served.pair(.viewer))"])
    #expect(page.body == fetch.bytes)
    // By now it may be known to be silent, or it is waited for.
    await eventually { inbox.answer(2) != nil }
    #expect(inbox.answer(2)?["error"]?["data"]?["reason"] == "disk.failed")
    #expect(inbox.answer(2)?["error"]?["message"] == .string(volume.silence.description))
    let refused = try await client.send(
      .get, clips[1], headers: ["authorization": "Bearer \(try served.pair(.viewer))"])
    #expect(refused.status == 503)

    hanging.answer()
    ask(socket, 4, .fileStop, ["stream": 1])
    await eventually { inbox.answer(4) != nil }
    ask(socket, 5, .fileStart, ["stream": 5, "path": .string(clips[1])])
    await eventually { inbox.answer(5) != nil }
    client.close()
    await served.end()
  }

  @Test("four files go over a connection, those being opened included; a fifth is refused at once, whatever hangs")
  func fifth() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    _ = try await served.rig.startRecording(RecordingStartRequest())
    await eventually { await served.rig.status().recording?.cameras.first?.frames ?? 0 > 30 }
    let take = try await served.rig.stopRecording()
    let clip = "/takes/\(take.id)/" + (try #require(take.cameras.first?.clips.first?.file))
    let volume = try await served.rig.takeFile(take.id, "take.json").volume
    let inbox = Inbox()
    let socket = try await open(served, client, inbox)
    func start(_ id: Int64, stream: Int64) {
      ask(socket, id, .fileStart, ["stream": .integer(stream), "path": .string(clip), "credit": 1])
    }
    let refusal: JSONValue = "4 files go over this connection already. Wait for the end of one, or stop one."

    let hanging = HangingVolume(volume)
    for number in 1...5 { start(Int64(number), stream: Int64(number)) }
    await eventually { inbox.answer(5) != nil }
    #expect(inbox.answer(5)?["error"]?["data"]?["reason"] == "monitor.too-many")
    #expect(inbox.answer(5)?["error"]?["message"] == refusal)
    // The first word of all: nobody was waited for.
    #expect(inbox.texts.first?["id"] == 5)
    hanging.answer()
    await eventually { (1...4).allSatisfy { inbox.answer($0) != nil } }
    for number in 1...4 { ask(socket, Int64(10 + number), .fileStop, ["stream": .integer(Int64(number))]) }
    await eventually { inbox.answer(14) != nil }

    // As many as go, each waiting for credit; one more has room once one is stopped, or in the place of another.
    for number in 21...25 { start(Int64(number), stream: Int64(number)) }
    await eventually { (21...25).allSatisfy { inbox.answer($0) != nil } }
    #expect((21...24).allSatisfy { inbox.answer($0)?["result"] != nil })
    #expect(inbox.answer(25)?["error"]?["message"] == refusal)
    start(26, stream: 24)
    ask(socket, nil, .fileStop, ["stream": 21])
    start(27, stream: 27)
    await eventually { inbox.answer(26)?["result"] != nil && inbox.answer(27)?["result"] != nil }
    client.close()
    await served.end()
  }

  @Test("a clip that is being recorded is fetched while it grows: to its end now, and from there to the end later")
  func growing() async throws {
    let served = try await RigInNetwork(demo: 1)
    let client = try served.client()
    let started = try await served.rig.startRecording(RecordingStartRequest())
    await eventually { await served.rig.status().recording?.cameras.first?.frames ?? 0 > 30 }
    let clip = try #require(await served.rig.take(started.take).cameras.first?.clips.first)
    func fetch(from offset: Int, length: Int? = nil) async throws -> [UInt8] {
      let fetch = FileFetch(stream: 3)
      let socket = try await open(served, client, fetch)
      var params: [String: JSONValue] = [
        "stream": 3, "path": .string("/takes/\(started.take)/\(clip.file)"), "offset": .integer(Int64(offset)),
      ]
      params["length"] = length.map { .integer(Int64($0)) }
      ask(socket, 1, .fileStart, .object(params))
      await eventually { fetch.isWhole }
      socket.close()
      return fetch.bytes
    }
    var bytes = try await fetch(from: 0)
    #expect(bytes.count > 100_000)
    _ = try await served.rig.stopRecording()
    bytes += try await fetch(from: bytes.count)
    // The lead is written anew when a clip is finished.
    bytes.replaceSubrange(24..<40, with: try await fetch(from: 24, length: 16))
    #expect(bytes == FileBytes.read(started.folder + "/" + clip.file))
    client.close()
    await served.end()
  }
}

/// Fetches a file, acknowledging each piece.
private final class FileFetch: WebSocketSession {
  private let state = Guarded<(pieces: [(header: MediaHeader, bytes: [UInt8])], answer: JSONValue?)>(([], nil))
  private let stream: UInt32

  init(stream: UInt32) { self.stream = stream }

  var answer: JSONValue? { state.withLock { $0.answer } }
  var bytes: [UInt8] { state.withLock { $0.pieces }.flatMap(\.bytes) }
  var isWhole: Bool { state.withLock { $0.answer != nil && $0.pieces.last?.header.flags == .last } }

  func isOrdered(from offset: UInt64) -> Bool {
    var (next, sequence) = (offset, UInt64(0))
    for (header, bytes) in state.withLock({ $0.pieces }) {
      guard header.detail.offset == next, header.sequence == sequence, header.kind == .fileChunk else { return false }
      next += UInt64(bytes.count)
      sequence += 1
    }
    return true
  }

  func opened(_ socket: WebSocket) {}
  func closed(_ socket: WebSocket, _ reason: WebSocketClosing) {}

  func received(_ message: WebSocketMessage, from socket: WebSocket) {
    switch message {
    case .text(let text): state.withLock { $0.answer = try? JSONValue(json: text.utf8) }
    case .binary(let bytes):
      guard let header = MediaHeader(bytes) else { return }
      state.withLock { $0.pieces.append((header, Array(bytes.dropFirst(MediaHeader.byteCount)))) }
      socket.send(
        RPCNotification(
          method: "file.credit",
          params: ["stream": .integer(Int64(stream)), "sequence": .integer(Int64(header.sequence))]
        ).json.text)
    }
  }
}
