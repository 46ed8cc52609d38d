import CamrigModel
import Dispatch
import HTTP

/// The operator's end of a rig's WebSocket `/monitor`.
package final class RemoteControl: RigChannel {
  private let web: RigWeb
  private let inbox = RemoteInbox()
  private let socket: WebSocket
  private var lastID: Int64 = 0

  package init(_ web: RigWeb) throws {
    self.web = web
    socket = try web.open("/monitor", subprotocol: "camrig.monitor.v1", session: inbox)
  }

  package func call(_ method: String, _ params: JSONValue, timeout: Duration) throws -> JSONValue {
    lastID += 1
    let id = RPCID.number(lastID)
    let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: timeout.inNanoseconds))
    socket.send(RPCRequest(id: id, method: method, params: params).json.text)
    while true {
      switch inbox.nextAnswer(until: deadline) {
      case nil: throw RemoteRigError.timedOut(web.place, method, timeout)
      case .answer(let answer):
        // One to an earlier request came after its time.
        guard answer.id == id || answer.id == .null else { continue }
        switch answer.outcome {
        case .result(let value): return value
        case .failure(let error): throw ControlClientError.refused(error)
        }
      case .garbled(let what): throw RemoteRigError.garbled(web.place, what)
      case .closed(let reason): throw ended(reason)
      case .notification: continue
      }
    }
  }

  package func nextNotification() throws -> RPCNotification? {
    switch inbox.nextNotification() {
    case .notification(let notification): return notification
    case .closed(let reason): throw ended(reason)
    case .garbled(let what): throw RemoteRigError.garbled(web.place, what)
    case .answer, nil: return nil
    }
  }

  private func ended(_ reason: WebSocketClosing) -> RemoteRigError {
    reason.code == 4401 ? .notPaired(web.place) : .closed(web.place, reason.text)
  }
}
