import CamrigModel
import Frames

/// Pictures for tests: number `sequence` stands `sequence × 100 ms` after second 100.
func picture(
  _ sequence: UInt64, run: Int = 1, bytes: Int = 1000, pool: FramePool = FramePool(), keyframe: Bool = true
) -> StreamItem {
  .frame(frame(sequence, run: run, bytes: bytes, pool: pool, keyframe: keyframe))
}

func frame(
  _ sequence: UInt64, run: Int = 1, bytes: Int = 1000, pool: FramePool = FramePool(), keyframe: Bool = true
) -> Frame {
  let buffer = pool.buffer(count: bytes) { memory in
    for index in memory.indices { memory[index] = UInt8(truncatingIfNeeded: sequence) }
  }
  return Frame(
    buffer, format: .mjpeg, size: PixelSize(width: 64, height: 48),
    presentationTime: MediaTime(seconds: 100, microseconds: Int64(sequence) * 100_000), run: run,
    sequence: sequence, isKeyframe: keyframe)
}

func start(_ run: Int = 1) -> StreamItem {
  .started(
    StreamRun(
      number: run, format: VideoFormat(.mjpeg, PixelSize(width: 64, height: 48), rate: FrameRate(10)),
      time: MediaTime(seconds: 100, microseconds: 0)))
}

func end(_ run: Int = 1) -> StreamItem {
  .ended(StreamEnd(run: run, reason: .stopped, time: MediaTime(seconds: 200, microseconds: 0)))
}

func gap(_ first: UInt64, count: UInt64, run: Int = 1) -> StreamItem {
  .lost(
    Loss(
      cause: .driverGap, run: run, firstSequence: first, count: count,
      time: MediaTime(seconds: 100, microseconds: Int64(first) * 100_000)))
}

/// Items in words: `start 1`, `frame 3`, `lost 4+2 driverGap`, `end stopped`.
func words(_ items: [StreamItem]?) -> [String] {
  (items ?? []).map { item in
    switch item {
    case .started(let run): "start \(run.number)"
    case .frame(let frame): "frame \(frame.sequence)"
    case .lost(let loss): "lost \(loss.firstSequence)+\(loss.count) \(loss.cause.rawValue)"
    case .ended(let end): "end \(end.reason.rawValue)"
    }
  }
}
