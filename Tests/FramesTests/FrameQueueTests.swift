import CamrigModel
import Dispatch
import Frames
import Glibc
import Testing

@Suite("A reader's queue")
struct FrameQueueTests {
  @Test("a picture that finds the queue full becomes a loss in its place")
  func countsOverflow() {
    let queue = FrameQueue(capacity: .seconds(60), capacityBytes: 3000)
    for sequence in UInt64(0)...5 { queue.offer(picture(sequence)) }
    #expect(
      words(queue.take(timeout: .zero)) == ["frame 0", "frame 1", "frame 2", "lost 3+3 queueOverflow"])
    queue.offer(picture(6))
    #expect(words(queue.take(timeout: .zero)) == ["frame 6"])
  }

  @Test("pictures that wait too long are an overflow too")
  func countsOldPictures() {
    let queue = FrameQueue(capacity: .milliseconds(250), capacityBytes: 1 << 20)
    for sequence in UInt64(0)...3 { queue.offer(picture(sequence)) }
    #expect(words(queue.take(timeout: .zero)) == ["frame 0", "frame 1", "frame 2", "lost 3+1 queueOverflow"])
  }

  @Test("overflows on both sides of another loss, and of other runs, are told apart")
  func keepsLossesApart() {
    let queue = FrameQueue(capacity: .seconds(60), capacityBytes: 1000)
    for item in [picture(0), picture(1), gap(2, count: 1), picture(3), picture(4), start(2), picture(0, run: 2)] {
      queue.offer(item)
    }
    #expect(
      words(queue.take(timeout: .zero)) == [
        "frame 0", "lost 1+1 queueOverflow", "lost 2+1 driverGap", "lost 3+2 queueOverflow", "start 2",
        "lost 0+1 queueOverflow",
      ])
  }

  @Test("one picture larger than the queue is taken when nothing waits")
  func takesLargePicture() {
    let queue = FrameQueue(capacity: .seconds(60), capacityBytes: 10)
    queue.offer(picture(0))
    #expect(words(queue.take(timeout: .zero)) == ["frame 0"])
  }

  @Test("an empty queue gives an empty array after the time, and nil once it is closed")
  func endsWhenClosed() {
    let queue = FrameQueue(capacity: .seconds(60), capacityBytes: 1000)
    #expect(queue.take(timeout: .zero)?.isEmpty == true)
    queue.offer(picture(0))
    queue.close()
    queue.offer(picture(1))
    #expect(words(queue.take(timeout: .zero)) == ["frame 0"])
    #expect(queue.take(timeout: .zero) == nil)
  }

  @Test("a reader that waits for a span is woken once for all pictures of it")
  func wakesForSpan() {
    let queue = FrameQueue(capacity: .seconds(60), capacityBytes: 1 << 20)
    let taken = Guarded<[[String]]>([])
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      while let items = queue.take(span: .milliseconds(500), timeout: .seconds(60)) {
        taken.withLock { $0.append(words(items)) }
      }
      done.signal()
    }
    for sequence in UInt64(0)...5 { queue.offer(picture(sequence)) }
    while taken.withLock({ $0.isEmpty }) { sched_yield() }
    queue.close()
    done.wait()
    thread.join()
    #expect(taken.withLock { $0 } == [(0...5).map { "frame \($0)" }])
  }

  @Test("the end of a run does not wait for the span", arguments: [start(2), end(1)])
  func wakesForEnd(_ item: StreamItem) {
    let queue = FrameQueue(capacity: .seconds(60), capacityBytes: 1 << 20)
    queue.offer(picture(0))
    queue.offer(item)
    #expect(queue.take(span: .seconds(30), timeout: .seconds(60))?.count == 2)
  }

  @Test("closing wakes a reader that waits")
  func closingWakes() {
    let queue = FrameQueue(capacity: .seconds(60), capacityBytes: 1 << 20)
    let thread = Thread { while queue.take(span: .seconds(30), timeout: .seconds(60)) != nil {} }
    queue.close()
    thread.join()
  }

  @Test("between a fast writer and a reader no item is lost, doubled or out of order")
  func survivesRace() {
    let queue = FrameQueue(capacity: .seconds(1_000_000), capacityBytes: 20_000)
    let next = Guarded<UInt64>(0)
    let broken = Guarded(0)
    let thread = Thread {
      while let items = queue.take(span: .milliseconds(300), timeout: .seconds(60)) {
        for item in items {
          let (first, count): (UInt64, UInt64) =
            switch item {
            case .frame(let frame): (frame.sequence, 1)
            case .lost(let loss): (loss.firstSequence, loss.count)
            case .started, .ended: (0, 0)
            }
          next.withLock { next in
            if first != next { broken.withLock { $0 += 1 } }
            next = first + count
          }
        }
      }
    }
    for sequence in UInt64(0)..<5000 { queue.offer(picture(sequence, bytes: 100)) }
    queue.close()
    thread.join()
    #expect(next.withLock { $0 } == 5000)
    #expect(broken.withLock { $0 } == 0)
  }
}

/// A thread that blocks, which a task must not.
private final class Thread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  private let handle: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    var handle = pthread_t()
    let result = pthread_create(
      &handle, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(Body(body)).toOpaque())
    precondition(result == 0, "a test needs a thread")
    self.handle = handle
  }

  func join() { pthread_join(handle, nil) }
}
