import CLinux
import CamrigModel
import DaemonKit
import Glibc

/// The helper's whole work: takes wishes from a listening socket, and switches off what a program has switched on when
/// its connection ends, however it ended. Returns when nobody has been connected for a while.
package struct LightHelper {
  /// A rig has one connection; more are people who try.
  private static let mostClients = 8
  private static let longestLine = 4096

  private struct Client {
    let descriptor: Int32
    var input = LineSplitter(limit: LightHelper.longestLine)
    var lit: Set<LightPlace> = []
  }

  private let listener: Int32
  private var board: Switchboard
  private var clients: [Client] = []
  private let patience: Int32
  private let log: Log

  /// - Parameter patienceMilliseconds: so long it stays without anybody.
  package init(listener: Int32, board: Switchboard, patienceMilliseconds: Int32 = 10_000, log: Log) {
    self.listener = listener
    self.board = board
    patience = patienceMilliseconds
    self.log = log
  }

  /// - Parameter stop: a descriptor that becomes readable when the helper shall end.
  package mutating func run(until stop: Int32) {
    while true {
      var waits = [listener, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // Who is not served yet waits in the socket's queue.
      if clients.count >= Self.mostClients { waits[0].fd = -1 }
      waits += clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      let count = poll(&waits, nfds_t(waits.count), clients.isEmpty ? patience : -1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, waits[1].revents == 0 else { break }
      for index in clients.indices.reversed() where waits[index + 2].revents != 0 { serve(index) }
      guard waits[0].revents != 0 else { continue }
      let descriptor = cl_accept(listener)
      if descriptor >= 0 { clients.append(Client(descriptor: descriptor)) }
    }
    for index in clients.indices.reversed() { leave(index) }
  }

  private mutating func serve(_ index: Int) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = cl_read(clients[index].descriptor, &buffer, buffer.count)
    if count == -Int(EAGAIN) { return }
    guard count > 0 else { return leave(index) }
    clients[index].input.append(buffer[..<count])
    while let piece = clients[index].input.next() {
      guard case .line(let line) = piece else { return leave(index) }
      let answer = LightMessage.answer(carryOut(line, for: index))
      let sent = cl_send(clients[index].descriptor, answer, answer.count)
      // Somebody who does not read a hundred bytes is none of ours.
      guard sent == answer.count else { return leave(index) }
    }
  }

  private mutating func carryOut(_ line: [UInt8], for index: Int) -> Result<Int, LightError> {
    do throws(LightError) {
      let wish = try LightMessage.Wish(line: line)
      let level = try board.set(wish.place, wish.level)
      if level > 0 { clients[index].lit.insert(wish.place) } else { clients[index].lit.remove(wish.place) }
      return .success(level)
    } catch {
      log.warning("refused: \(error)")
      return .failure(error)
    }
  }

  private mutating func leave(_ index: Int) {
    let client = clients.remove(at: index)
    close(client.descriptor)
    let others = clients.reduce(into: Set<LightPlace>()) { $0.formUnion($1.lit) }
    for place in client.lit.subtracting(others) {
      do throws(LightError) {
        _ = try board.set(place, 0)
        log.notice("\(place) switched off: the program that had switched it on has gone")
      } catch {
        log.error("\(place) cannot be switched off: \(error)")
      }
    }
  }
}
