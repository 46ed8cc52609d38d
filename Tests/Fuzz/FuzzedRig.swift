import CamrigModel
import Capture
import DaemonKit
import Dispatch
import Glibc
import HTTP
import Monitor
import RigControl
import Settings

/// A rig without cameras, with its server, for all inputs of a run.
final class FuzzedRig: Sendable {
  static let shared = FuzzedRig()

  /// Below `TMPDIR`, which whoever runs us takes away.
  static let directory: String = {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/camrig-fuzz-XXXXXX").utf8CString)
    let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) != nil }
    precondition(made, "no temporary directory")
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()

  private struct Silence: LogSink {
    func write(_ line: LogLine) {}
  }

  private struct NoCameras: CameraFinder {
    func start(_ observer: @escaping @Sendable (FinderEvent) -> Void) throws(FinderError) { observer(.all([])) }
    func stop() {}
  }

  private let dispatcher: RigDispatcher
  private let link: NetworkLink
  private let port: UInt16
  private let socket = FuzzedRig.directory + "/http.sock"

  private init() {
    // Made at the first request, which would be taken for a thread that spins.
    _ = OpenRPCDocument.bytes
    let log = Log(Silence(), lowest: .error)
    let directory = Self.directory
    var configuration = Configuration()
    configuration.storage.diskReserveBytes = 1 << 20
    let rig = Rig(
      Rig.Parts(
        configuration: configuration, stateDirectory: directory, finder: NoCameras(),
        settings: SettingsStore(path: directory + "/settings.json", log: log), log: log))
    let book = MonitorBook(path: directory + "/monitors.json", log: log)
    let guests = GuestList()
    let desk = MonitorDesk(book: book, guests: guests)
    let board = StateBoard(rig: rig, log: log, forAdmins: { desk.adminMembers() })
    dispatcher = RigDispatcher(rig: rig, board: board, monitors: desk, log: log)
    do {
      link = try NetworkLink(
        rig: rig, handler: dispatcher, book: book, guests: guests, directory: directory + "/tls", log: log)
    } catch {
      preconditionFailure("no server: \(error)")
    }
    var settings = NetworkLink.Settings()
    settings.plainListen = [.network(address: "127.0.0.1", port: 0)]
    settings.socketPath = socket
    link.use(settings)
    desk.use(link)
    Self.wait { try? await rig.start() }
    port = link.status.urls.first.flatMap { UInt16($0.dropLast().split(separator: ":").last ?? "") } ?? 0
    precondition(port > 0, "no port: \(link.status.problems)")
  }

  /// As a program on this machine asks it, on a connection of its own.
  func carryOut(_ request: RPCRequest) {
    let session = dispatcher.begin(Peer(connection: 1, .process(pid: 1, uid: 0, gid: 0), role: .admin))
    Self.wait { _ = await session.handle(request).settled() }
    session.end()
  }

  func connect() -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return Self.connect(AF_INET, &address)
  }

  func connectLocally() -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
    return Self.connect(AF_UNIX, &address)
  }

  private static func connect<Address>(_ family: Int32, _ address: inout Address) -> Int32 {
    while true {
      let descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
        }
      }
      if isConnected { return descriptor }
      let problem = errno
      close(descriptor)
      // libFuzzer's timer.
      guard problem == EINTR else {
        errno = problem
        return -1
      }
    }
  }

  private static func wait(_ work: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
      await work()
      done.signal()
    }
    done.wait()
  }
}
