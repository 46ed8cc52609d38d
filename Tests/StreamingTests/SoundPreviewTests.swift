import CamrigModel
import Frames
import Glibc
import Streaming
import TestSupport
import Testing

@Suite("A microphone that is listened to", .timeLimit(.minutes(5)))
struct SoundPreviewTests {
  private let hub = SoundHub(prerollLength: .zero)
  private let clock = TestClock()
  private let preview: SoundPreview
  private let demands = Count()
  private let releases = Count()

  init() {
    let (demands, releases) = (demands, releases)
    preview = SoundPreview(SoundSource(hub: hub, demand: { demands.add() }, release: { releases.add() }))
  }

  private func begin(_ number: Int = 1, rate: Int = 48_000, channels: Int = 1) {
    hub.publish(.started(SoundRun(number: number, rate: rate, channels: channels, time: clock.now)))
  }

  /// Blocks of 20 ms with a tone of 1 kHz on each channel; the first one is of second 1000.
  private func hear(_ blocks: Range<Int>, run: Int = 1, rate: Int = 48_000, channels: Int = 1) {
    for block in blocks {
      let count = rate / 50
      let samples = (0..<count).flatMap { frame -> [Float] in
        let value = Float(0.5 * sin(2 * Double.pi * 1000 * Double(block * count + frame) / Double(rate)))
        return [Float](repeating: value, count: channels)
      }
      hub.publish(
        .block(
          SoundBlock(
            run: run, position: Int64(block * count),
            presentationTime: MediaTime(nanoseconds: 1_000_000_000_000 + Int64(block) * 20_000_000),
            channels: channels, samples: samples)))
    }
  }

  private func values(_ chunk: SoundChunk) -> [Int] {
    stride(from: 0, to: chunk.bytes.count, by: 2).map {
      Int(Int16(bitPattern: UInt16(chunk.bytes[$0]) | UInt16(chunk.bytes[$0 + 1]) << 8))
    }
  }

  @Test("it is opened for the first listener and let go after the last, and hears nothing of it otherwise")
  func demand() {
    let first = preview.open {}
    let second = preview.open {}
    #expect(demands.value == 2 && releases.value == 0)
    #expect(preview.status.listenerCount == 2)
    first.close()
    first.close()
    #expect(releases.value == 1)
    second.close()
    #expect(releases.value == 2 && preview.status.listenerCount == 0)
    begin()
    hear(0..<20)
    let third = preview.open {}
    #expect(third.next() == nil, "what was before is not heard")
    hear(20..<21)
    #expect(third.next()?.chunk.presentationTime == MediaTime(nanoseconds: 1_000_400_000_000))
  }

  @Test("all listeners get one and the same sound, made once", arguments: [(48_000, 1), (44_100, 2), (16_000, 4)])
  func shared(_ rate: Int, _ channels: Int) throws {
    let readers = (0..<3).map { _ in preview.open {} }
    begin(rate: rate, channels: channels)
    var places: Set<UnsafeRawPointer> = []
    var sound: [Int] = []
    var times: [MediaTime] = []
    for block in 0..<50 {
      hear(block..<block + 1, rate: rate, channels: channels)
      while let chunk = readers[0].next()?.chunk {
        for reader in readers.dropFirst() {
          let other = try #require(reader.next()).chunk
          #expect(other == chunk)
          places = Set([chunk, other].map { $0.bytes.withUnsafeBytes { $0.baseAddress! } })
          #expect(places.count == 1, "another copy")
        }
        #expect(chunk.channels == min(channels, 2))
        let all = values(chunk)
        sound += stride(from: 0, to: all.count, by: chunk.channels).map { all[$0] }
        times.append(chunk.presentationTime)
      }
    }
    // A second, less what the resampler still holds, 1000 turns a second, from the moment that it says.
    #expect(times.count >= 48)
    for (number, time) in times.enumerated() {
      let late = (time - MediaTime(nanoseconds: 1_000_000_000_000 + Int64(number) * 20_000_000)).inNanoseconds
      #expect(abs(late) < 100_000, "\(number): \(late) ns")
    }
    let turns = zip(sound, sound.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect(abs(Double(turns) / (Double(sound.count) / 48_000) - 1000) < 3, "\(turns) turns")
    #expect(abs((sound.max() ?? 0) - 16384) < 400)
  }

  @Test("it goes on by itself after unplugging, also as another microphone, and after a loss with the right time")
  func replug() throws {
    let reader = preview.open {}
    begin()
    hear(0..<2)
    #expect(reader.next() != nil && reader.next() != nil)
    hub.publish(.ended(StreamEnd(run: 1, reason: .unplugged, time: clock.now)))
    begin(2, rate: 32_000, channels: 2)
    hear(10..<14, run: 2, rate: 32_000, channels: 2)
    let next = try #require(reader.next()).chunk
    #expect(next.channels == 2)
    #expect(abs((next.presentationTime - MediaTime(nanoseconds: 1_000_200_000_000)).inNanoseconds) < 100_000)
    while reader.next() != nil {}
    hub.publish(
      .lost(
        SoundLoss(
          cause: .xrun, run: 2, position: 14 * 640, count: 640, time: MediaTime(nanoseconds: 1_000_280_000_000))))
    hear(15..<18, run: 2, rate: 32_000, channels: 2)
    let after = try #require(reader.next()).chunk
    #expect(abs((after.presentationTime - MediaTime(nanoseconds: 1_000_300_000_000)).inNanoseconds) < 100_000)
  }

  @Test("silence is silence: what is muted comes as zeros")
  func muted() throws {
    let reader = preview.open {}
    begin(rate: 44_100)
    for block in 0..<5 {
      hub.publish(
        .block(
          SoundBlock(
            run: 1, position: Int64(block * 882), presentationTime: clock.now + .milliseconds(20 * block),
            channels: 1, samples: [Float](repeating: 0, count: 882))))
    }
    var count = 0
    while let chunk = reader.next()?.chunk {
      #expect(chunk.bytes.allSatisfy { $0 == 0 })
      count += 1
    }
    #expect(count >= 3)
  }

  @Test("a message is header and sound; without credit nothing is sent, nobody is told, and nothing is made")
  func credit() throws {
    let told = Count()
    let sender = SoundSender(preview, stream: 9, credit: 3, clock: clock) { told.add() }
    #expect(sender.next() == nil)
    begin(rate: 44_100, channels: 2)
    hear(0..<2, rate: 44_100, channels: 2)
    #expect(told.value == 1)
    clock.advance(by: .milliseconds(33))
    let first = try #require(sender.next())
    #expect(first.header.kind == .sound && first.header.stream == 9 && first.header.sequence == 0)
    #expect(first.header.detail.channels == 2 && first.header.detail.frames == 960)
    #expect(first.header.detail.skipped == 0 && first.header.detail.ageMilliseconds == 33)
    #expect(first.chunk.bytes.count == 960 * 2 * 2)
    for block in 2..<200 {
      hear(block..<block + 1, rate: 44_100, channels: 2)
      while sender.next() != nil {}
    }
    let sent = preview.status.sentCount
    #expect(sent == 3, "three without an acknowledgement")
    let before = told.value
    hear(200..<400, rate: 44_100, channels: 2)
    #expect(told.value == before)
    sender.acknowledge(1)
    #expect(told.value == before + 1)
    #expect(sender.next() == nil, "nothing was made meanwhile")
    hear(400..<403, rate: 44_100, channels: 2)
    let next = try #require(sender.next())
    #expect(next.header.sequence == 3)
    #expect(abs(Int(next.header.detail.skipped) - 397) <= 2, "\(next.header.detail.skipped)")
    #expect(preview.status.skippedCount == Int(next.header.detail.skipped))
    sender.close()
    #expect(releases.value == 1)
  }

  @Test("one without credit does not touch what the others hear")
  func others() throws {
    let mute = SoundSender(preview, stream: 1, credit: 1, clock: clock) {}
    let other = SoundSender(preview, stream: 2, credit: 10, clock: clock) {}
    begin()
    var heard = 0
    for block in 0..<200 {
      hear(block..<block + 1)
      _ = mute.next()
      while let message = other.next() {
        #expect(message.header.detail.skipped == 0)
        other.acknowledge(message.header.sequence)
        heard += 1
      }
    }
    #expect(heard == 200)
    #expect(preview.status.sentCount == 201)
  }
}

@Suite("The head of a WAV")
struct WaveHeaderTests {
  @Test("it is these 44 bytes")
  func pinned() {
    let known = WaveHeader(channels: 2, rate: 48_000, soundBytes: 192_000).bytes
    #expect(known.count == WaveHeader.byteCount)
    #expect(
      known == Array("RIFF".utf8) + [0x24, 0xee, 2, 0] + Array("WAVEfmt ".utf8)
        + [16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0xbb, 0, 0, 0, 0xee, 2, 0, 4, 0, 16, 0] + Array("data".utf8) + [
          0, 0xee, 2, 0,
        ])
    let endless = WaveHeader(channels: 2, rate: 48_000).bytes
    #expect(Array(endless[4..<8]) == [0xff, 0xff, 0xff, 0xff] && Array(endless[40...]) == [0xff, 0xff, 0xff, 0xff])
  }
}
