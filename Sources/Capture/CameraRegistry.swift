import CamrigModel
import DaemonKit
import Dispatch
import Settings

/// All cameras ever seen: which of them are plugged in, what they are called, and what users chose for them.
/// `Camera` objects are made when first asked for and stay until the camera is forgotten.
package actor CameraRegistry<Stream: CameraStreaming> {
  /// What the registry works with.
  package struct Parts: Sendable {
    package var finder: any CameraFinder
    package var probe: any NodeProbe = V4L2NodeProbe()
    package var store: SettingsStore
    package var clock: any RigClock = SystemClock()
    package var timer: any RegistryTimer = TaskTimer()
    package var log: Log
    /// The device behind a node.
    package var device: @Sendable (String) -> any CameraDevice = { V4L2CameraDevice(node: $0) }
    /// The way through the USB bus of the camera behind a node's path in sysfs. May block.
    package var usb: @Sendable (String) -> SystemUSB.Facts? = { SystemUSB().facts($0) }
    /// Makes the camera. The closure is to be called whenever its `status` has changed.
    package var camera: @Sendable (CameraID, _ changed: @escaping @Sendable () -> Void) -> Stream
    /// Called on the registry's actor: must return at once.
    package var observer: @Sendable (CaptureEvent) -> Void

    package init(
      finder: any CameraFinder, store: SettingsStore, log: Log,
      camera: @escaping @Sendable (CameraID, _ changed: @escaping @Sendable () -> Void) -> Stream,
      observer: @escaping @Sendable (CaptureEvent) -> Void
    ) {
      self.finder = finder
      self.store = store
      self.log = log
      self.camera = camera
      self.observer = observer
    }
  }

  /// A node that udev has told of.
  struct Node {
    var found: FoundNode
    /// Told anew or probed anew: an answer to an older question is not for it.
    var generation: Int
    var result: Result<NodeFacts, NodeProbeError>?
    /// Five seconds and more: so long udev and slow hubs may be at work on a new node.
    var retry = Backoff(first: .milliseconds(100), most: .seconds(2))

    static var mostTries: Int { 8 }
  }

  /// A camera that is plugged in.
  struct Online {
    var camera: PresentCamera
    /// Counts the pluggings of all cameras, so that a late timer knows that it is too late.
    var plugging: Int
    var isAttached = false
    /// It was plugged in then, or has become what it is.
    var since: WallTime
  }

  let parts: Parts
  var nodes: [String: Node] = [:]
  var memory: [CameraID: CameraSettings]
  var online: [CameraID: Online] = [:]
  var streams: [CameraID: Stream] = [:]
  var builtIns: [CameraID: any CameraDevice] = [:]
  var recorded: Set<CameraID> = []
  /// Of renames that are not on the disk yet.
  var promisedNames: [(id: CameraID, name: String)] = []
  var flaps: [CameraID: FlapGuard] = [:]
  var sharing: [CameraID: [CameraID]] = [:]
  var probing: Set<Int> = []
  var isBatchTimed = false
  var lastNumber = 0
  var saving = RegistrySaving()
  /// What users turn at controls is kept a moment later.
  var isSaveTimed = false
  /// Of pictures that are being changed just now.
  var bursts: [CameraID: PictureBurst] = [:]

  let probes = DispatchQueue(label: "camrig.probe", attributes: .concurrent)
  /// The settings' file and the ends of cameras: what blocks, in order.
  let errands = DispatchQueue(label: "camrig.cameras")
  private let mailbox = NodeMailbox()
  private var pump: Task<Void, Never>?
  private(set) var watch: NodeWatch?
  /// Nodes that others are letting go of, with the number of the last sign of it.
  private var closings: [String: Int] = [:]

  package init(_ parts: Parts) {
    self.parts = parts
    memory = parts.store.current.cameras
    sharing = CameraIdentity.sharing(memory)
  }

  /// Finds the cameras that are there, and all that come. Call once.
  package func start() throws(FinderError) {
    let mailbox = mailbox
    pump = Task { [weak self] in
      for await _ in mailbox.signals { await self?.take(mailbox.drain()) }
    }
    do throws(CaptureError) {
      watch = try NodeWatch { [weak self] node in Task { await self?.touched(node) } }
    } catch {
      parts.log.warning("Whether a busy camera gets free is noticed late: \(error)")
    }
    try parts.finder.start { mailbox.put($0) }
  }

  /// Ends all cameras and keeps what is to be kept. Nothing is found after this.
  package func stop() async {
    let finder = parts.finder
    await blocking(errands) { finder.stop() }
    mailbox.close()
    pump?.cancel()
    let watch = watch
    self.watch = nil
    for (id, _) in online where builtIns[id] == nil { memory[id]?.lastSeen = parts.clock.anchor.wall }
    let all = Array(streams.values)
    bursts = [:]
    streams = [:]
    online = [:]
    await withTaskGroup(of: Void.self) { group in
      for stream in all { group.addTask { await blocking(self.probes) { stream.shutdown() } } }
    }
    await blocking(errands) { watch?.stop() }
    _ = await keep(memory)
  }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func emit(_ event: CaptureEvent) { parts.observer(event) }

  /// The camera's object, made if it is the first time.
  func stream(_ id: CameraID) -> Stream {
    if let stream = streams[id] { return stream }
    let stream = parts.camera(id) { [weak self] in Task { await self?.streamChanged(id) } }
    if let record = memory[id] {
      stream.setWish(record.wish)
      stream.setEnabled(record.enabled)
      stream.setKept(record.controls)
      stream.setPicture(record.picture)
    }
    streams[id] = stream
    return stream
  }

  private func streamChanged(_ id: CameraID) {
    guard let stream = streams[id] else { return }
    if let node = online[id]?.camera.node, builtIns[id] == nil {
      // A camera that fails opens and closes its node itself: only a busy one leaves that to others.
      switch stream.status.state {
      case .busy: watchBusy(node)
      // Its mode may have changed since it was tried.
      case .failed: if watch?.watch(node, for: .permission) == true { stream.look() }
      case .offline, .idle, .starting, .streaming, .stalled, .disabled: watch?.watch(node, for: nil)
      }
    }
    emit(.changed(id))
  }

  /// Another program may have closed it since it was found busy, and nobody saw that: once it is watched it is looked
  /// at again.
  func watchBusy(_ node: String) {
    guard watch?.watch(node, for: .closing) == true else { return }
    tryAgain(node, .look)
  }

  /// Another program closed the node, or its mode has changed.
  private func touched(_ node: String) { tryAgain(node, .open) }

  private enum Attempt {
    case look
    /// Whoever wants the camera need not wait any longer.
    case open
  }

  /// Now, and some times more while the node is busy: the kernel tells of a closing before the driver lets go, and to
  /// stop a camera on USB takes it a while.
  private func tryAgain(_ node: String, _ attempt: Attempt) {
    tryOnce(node, attempt)
    let number = nextNumber()
    closings[node] = number
    Task {
      for wait in Self.lettingGo {
        await parts.timer.wait(wait)
        guard closings[node] == number, isBusy(node) else { break }
        tryOnce(node, attempt)
      }
      if closings[node] == number { closings[node] = nil }
    }
  }

  private static var lettingGo: [Duration] {
    [.milliseconds(50), .milliseconds(150), .milliseconds(500), .seconds(2), .seconds(5)]
  }

  private func isBusy(_ node: String) -> Bool {
    let isUnasked = nodes.values.contains { entry in
      guard entry.found.node == node, case .failure(.busy)? = entry.result else { return false }
      return true
    }
    return isUnasked || online.contains { $1.camera.node == node && streams[$0]?.status.state == .busy }
  }

  private func tryOnce(_ node: String, _ attempt: Attempt) {
    for (id, camera) in online where camera.camera.node == node && camera.isAttached {
      switch attempt {
      case .look: streams[id]?.look()
      case .open: streams[id]?.retryNow()
      }
    }
    for (path, entry) in nodes where entry.found.node == node {
      guard case .failure? = entry.result else { continue }
      ask(path)
    }
  }
}

/// Does on `queue` what may block, so that no actor waits in a call.
func blocking<T: Sendable>(_ queue: DispatchQueue, _ body: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    queue.async { continuation.resume(returning: body()) }
  }
}
