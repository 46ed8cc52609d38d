import CVideo4Linux
import CamrigModel
import Glibc

extension VideoDevice {
  /// Fewer cannot bridge a scheduling delay of a loaded machine.
  package static let leastBuffers = 4

  /// Maps `bufferCount` buffers, hands them to the driver and starts the stream.
  package func start(bufferCount: Int) throws(V4L2Error) {
    precondition(buffers.isEmpty && !isStreaming, "a stream is started once")
    subscribeToSourceChanges()
    do {
      try mapBuffers(max(bufferCount, Self.leastBuffers))
      for index in buffers.indices { try queue(index) }
    } catch {
      stop()
      throw error
    }
    let result = cv4l2_streamon(fd, Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue))
    guard result >= 0 else {
      stop()
      if let fault = signalFault { throw .noSignal(path: path, fault) }
      switch -result {
      case ENODEV, ENXIO, EBUSY, EACCES, EPERM: throw V4L2Error(-result, "STREAMON", path: path)
      case ENOSPC where isUSB(bus): throw .noBandwidth(path: path, bus: bus)
      default: throw .startRefused(path: path, bus: bus, errno: -result)
      }
    }
    isStreaming = true
  }

  /// Stops the stream and lets go of the buffers; never fails, for a camera that is gone cannot be stopped.
  package func stop() {
    if isStreaming { _ = cv4l2_streamoff(fd, Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)) }
    isStreaming = false
    for buffer in buffers { munmap(buffer.baseAddress, buffer.count) }
    if !buffers.isEmpty {
      var request = v4l2_requestbuffers()
      request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
      request.memory = V4L2_MEMORY_MMAP.rawValue
      _ = cv4l2_reqbufs(fd, &request)
    }
    buffers = []
  }

  /// Waits at most `timeout` (perhaps less, if a signal comes) for a picture, for something to read on `wake`, or
  /// for a change of the source.
  package func next(wake: Int32, timeout: Duration) throws(V4L2Error) -> VideoEvent {
    var waits = (
      pollfd(fd: fd, events: Int16(POLLIN) | (watchesSource ? Int16(POLLPRI) : 0), revents: 0),
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    )
    // Rounded up: a wait of 0.4 ms must not become a loop without waiting.
    let milliseconds = max(0, min((timeout.inNanoseconds &+ 999_999) / 1_000_000, 3_600_000))
    let ready = withUnsafeMutableBytes(of: &waits) {
      poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, Int32(milliseconds))
    }
    guard ready >= 0 else {
      if errno == EINTR { return .timeout }
      throw V4L2Error(errno, "poll", path: path)
    }
    if waits.1.revents != 0 { return .woken }
    if waits.0.revents & Int16(POLLPRI) != 0, sourceHasChanged() { return .sourceChanged }
    let broken = waits.0.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
    if broken || waits.0.revents & Int16(POLLIN) != 0 {
      if let buffer = try dequeue() { return .buffer(buffer) }
      // Poll would report this again at once, for ever.
      if broken { throw V4L2Error(EIO, "DQBUF", path: path) }
    }
    return .timeout
  }

  package func giveBack(index: Int) throws(V4L2Error) { try queue(index) }

  private func mapBuffers(_ count: Int) throws(V4L2Error) {
    var request = v4l2_requestbuffers()
    request.count = UInt32(count)
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try check(cv4l2_reqbufs(fd, &request), "REQBUFS")
    let given = Int(min(request.count, 64))
    for index in 0..<given {
      var buffer = blank(index)
      try check(cv4l2_querybuf(fd, &buffer), "QUERYBUF")
      let length = Int(buffer.length)
      let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, Int(buffer.m.offset))
      guard let address, address != UnsafeMutableRawPointer(bitPattern: -1) else {
        throw V4L2Error(errno, "mmap", path: path)
      }
      buffers.append(UnsafeMutableRawBufferPointer(start: address, count: length))
    }
    guard given >= Self.leastBuffers else {
      throw .tooFewBuffers(path: path, count: given, least: Self.leastBuffers)
    }
  }

  private func blank(_ index: Int) -> v4l2_buffer {
    var buffer = v4l2_buffer()
    buffer.index = UInt32(index)
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    return buffer
  }

  private func queue(_ index: Int) throws(V4L2Error) {
    var buffer = blank(index)
    try check(cv4l2_qbuf(fd, &buffer), "QBUF")
  }

  /// Nil: none is ready.
  private func dequeue() throws(V4L2Error) -> VideoBuffer? {
    var buffer = blank(0)
    let result = cv4l2_dqbuf(fd, &buffer)
    if result == -EAGAIN { return nil }
    try check(result, "DQBUF")
    let index = Int(buffer.index)
    guard index < buffers.count else { throw .refused(path: path, call: "DQBUF", errno: EINVAL) }
    let clock = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    return VideoBuffer(
      index: index,
      bytes: UnsafeRawBufferPointer(rebasing: buffers[index].prefix(Int(buffer.bytesused))),
      sequence: buffer.sequence,
      timestamp: MediaTime(seconds: Int64(buffer.timestamp.tv_sec), microseconds: Int64(buffer.timestamp.tv_usec)),
      timestampIsMonotonic: clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC),
      isErrorFlagged: buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0)
  }

  private func subscribeToSourceChanges() {
    var subscription = v4l2_event_subscription()
    subscription.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    // Most cameras do not know the event (EINVAL, ENOTTY): then there is nothing to watch.
    watchesSource = cv4l2_subscribe_event(fd, &subscription) == 0
  }

  private func sourceHasChanged() -> Bool {
    var event = v4l2_event()
    let result = cv4l2_dqevent(fd, &event)
    // An event that cannot be fetched would wake us for ever.
    if result < 0, result != -ENOENT, result != -EAGAIN { watchesSource = false }
    return result == 0 && event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE)
      && event.u.src_change.changes & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0
  }
}
