import DaemonKit
import Glibc
import TestSupport

/// Sends many echo requests from a thread of its own.
final class RawMonitorSender: Sendable {
  private let worker: Worker

  init(_ descriptor: Int32, count: Int, text: String) throws {
    let own = dup(descriptor)
    worker = try Worker("sender") {
      let monitor = RawMonitor(adopting: own)
      for id in 0..<count {
        monitor.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"rig.echo","params":{"text":"\#(text)"}}"#)
      }
    }
  }

  func join() { worker.join() }
}
