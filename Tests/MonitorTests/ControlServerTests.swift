import CLinux
import CamrigModel
import Glibc
import Monitor
import TestSupport
import Testing

@Suite("The control socket", .timeLimit(.minutes(5)))
struct ControlServerTests {
  @Test("a request is answered with its own ID")
  func answers() async throws {
    let test = try ServerUnderTest()
    let lines = try await onThread {
      let monitor = try RawMonitor(test.path)
      monitor.send(#"{"jsonrpc":"2.0","id":7,"method":"rig.echo","params":{"a":1}}"#)
      monitor.send(#"{"jsonrpc":"2.0","id":"b","method":"rig.echo"}"#)
      monitor.send(#"{"jsonrpc":"2.0","id":9,"method":"rig.unheard"}"#)
      return [monitor.line(), monitor.line(), monitor.line()]
    }
    #expect(
      lines == [
        #"{"id":7,"jsonrpc":"2.0","result":{"a":1}}"#,
        #"{"id":"b","jsonrpc":"2.0","result":{}}"#,
        #"{"error":{"code":-32601,"data":{"reason":"method.unknown"},"message":"there is no method rig.unheard"},"#
          + #""id":9,"jsonrpc":"2.0"}"#,
      ])
    test.server.stop()
  }

  @Test("the requests of one monitor are answered in their order, others meanwhile")
  func order() async throws {
    let test = try ServerUnderTest()
    let (others, own) = try await onThread {
      let slow = try RawMonitor(test.path)
      slow.send(#"{"jsonrpc":"2.0","id":1,"method":"rig.wait"}"#)
      slow.send(#"{"jsonrpc":"2.0","id":2,"method":"rig.echo"}"#)
      let quick = try RawMonitor(test.path)
      quick.send(#"{"jsonrpc":"2.0","id":3,"method":"rig.echo"}"#)
      let others = quick.line()
      test.rig.open()
      return (others, [slow.line(), slow.line()])
    }
    #expect(others == #"{"id":3,"jsonrpc":"2.0","result":{}}"#)
    #expect(own == [#"{"id":1,"jsonrpc":"2.0","result":"waited"}"#, #"{"id":2,"jsonrpc":"2.0","result":{}}"#])
    test.server.stop()
  }

  @Test("a request without an ID is carried out and not answered")
  func notification() async throws {
    let test = try ServerUnderTest()
    let line = try await onThread {
      let monitor = try RawMonitor(test.path)
      monitor.send(#"{"jsonrpc":"2.0","method":"rig.unheard"}"#)
      monitor.send(#"{"jsonrpc":"2.0","id":1,"method":"rig.echo"}"#)
      return monitor.line()
    }
    #expect(line == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
    #expect(test.rig.methods == ["rig.unheard", "rig.echo"])
    test.server.stop()
  }

  @Test(
    "an answer that comes later holds up no other of its connection, and comes though the monitor says no more")
  func later() async throws {
    let test = try ServerUnderTest()
    let monitor = try await onThread { try RawMonitor(test.path) }
    let line = try await onThread {
      for id in 1...20 { monitor.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"rig.later"}"#) }
      monitor.send(#"{"jsonrpc":"2.0","method":"rig.later"}"#)
      monitor.send(#"{"jsonrpc":"2.0","id":21,"method":"rig.echo"}"#)
      monitor.endSending()
      return monitor.line()
    }
    #expect(line == #"{"id":21,"jsonrpc":"2.0","result":{}}"#)
    for _ in 1...21 { test.rig.open() }
    let answers = try await onThread { (1...21).map { _ in monitor.line() } }
    #expect(Set(answers) == Set((1...20).map { #"{"id":\#($0),"jsonrpc":"2.0","result":"later"}"# } + [nil]))
    test.server.stop()
  }

  @Test("a monitor that leaves while answers are to come is forgotten when they have come")
  func leavesBeforeLaterAnswers() async throws {
    let test = try ServerUnderTest()
    try await onThread {
      let monitor = try RawMonitor(test.path)
      for id in 1...3 { monitor.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"rig.later"}"#) }
    }
    await eventually { test.rig.methods.count == 3 }
    #expect(test.rig.left.withLock { $0 } == 0)
    for _ in 1...3 { test.rig.open() }
    await eventually { test.rig.left.withLock { $0 } == 1 }
    test.server.stop()
  }

  @Test("a monitor that has said all it has to say is answered, and then let go")
  func halfClosed() async throws {
    let test = try ServerUnderTest()
    let lines = try await onThread {
      let monitor = try RawMonitor(test.path)
      monitor.send(#"{"jsonrpc":"2.0","id":1,"method":"rig.echo"}"#)
      monitor.endSending()
      return [monitor.line(), monitor.line()]
    }
    #expect(lines == [#"{"id":1,"jsonrpc":"2.0","result":{}}"#, nil])
    test.server.stop()
  }

  @Test("what a monitor sent before it left is still carried out")
  func leftEarly() async throws {
    let test = try ServerUnderTest()
    try await onThread {
      let monitor = try RawMonitor(test.path)
      monitor.send(#"{"jsonrpc":"2.0","id":1,"method":"rig.wait"}"#)
      monitor.send(#"{"jsonrpc":"2.0","id":2,"method":"rig.last"}"#)
    }
    test.rig.open()
    while !test.rig.methods.contains("rig.last") { try? await Task.sleep(for: .milliseconds(1)) }
    test.server.stop()
  }

  @Test("who connects is known to the handler and named in the log")
  func peer() async throws {
    let test = try ServerUnderTest()
    try await onThread {
      let client = try ControlClient(path: test.path)
      _ = try client.call("rig.echo", timeout: .seconds(100))
    }
    let peer = try #require(test.rig.peers.withLock { $0.first })
    #expect(peer.origin == .process(pid: getpid(), uid: getuid(), gid: getgid()) && peer.role == .admin)
    let line = try #require(test.sink.lines.first { $0.event == .monitorConnected })
    #expect(line.fields["CAMRIG_PEER_UID"] == "\(getuid())")
    #expect(line.message == "A monitor connected: process \(getpid()) of user \(getuid())")
    test.server.stop()
  }

  @Test("a hundred monitors at once are all answered")
  func manyMonitors() async throws {
    let test = try ServerUnderTest()
    let answered = try await onThread {
      let monitors = try (0..<100).map { _ in try RawMonitor(test.path) }
      for (number, monitor) in monitors.enumerated() {
        for part in 0..<5 {
          monitor.send(#"{"jsonrpc":"2.0","id":\#(number * 10 + part),"method":"rig.echo"}"#)
        }
      }
      var answered = 0
      for (number, monitor) in monitors.enumerated() {
        for part in 0..<5 where monitor.line() == #"{"id":\#(number * 10 + part),"jsonrpc":"2.0","result":{}}"# {
          answered += 1
        }
      }
      return answered
    }
    #expect(answered == 500)
    test.server.stop()
  }

  @Test("an answer that no line can hold is an error that says so")
  func answerTooLarge() async throws {
    let test = try ServerUnderTest()
    let error = try await onThread {
      let client = try ControlClient(path: test.path)
      do {
        _ = try client.call("rig.much", timeout: .seconds(100))
        return ""
      } catch ControlClientError.refused(let error) {
        return error.reason
      }
    }
    #expect(error == "answer.too-large")
    test.server.stop()
  }

  @Test("a subscriber gets the answer first, then every notification in order")
  func subscription() async throws {
    let test = try ServerUnderTest()
    let (answer, numbers) = try await onThread {
      let client = try ControlClient(path: test.path)
      let answer = try client.call("rig.watch", ["count": 100], timeout: .seconds(100))
      let numbers = try (0..<100).map { _ in try client.nextNotification()?.params["number"]?.asInteger }
      return (answer, numbers)
    }
    #expect(answer == "watching")
    #expect(numbers == (0..<100).map { Int64($0) })
    // The monitor went; so does what fed it.
    while test.rig.ended.withLock({ $0 }) == 0 { try? await Task.sleep(for: .milliseconds(1)) }
    test.server.stop()
  }

  @Test("a subscriber that never reads is sent away with the reason, others go on")
  func slowMonitor() async throws {
    let test = try ServerUnderTest()
    let monitor = try await onThread {
      let monitor = try RawMonitor(test.path)
      monitor.send(#"{"jsonrpc":"2.0","id":1,"method":"rig.watch","params":{"count":5000,"bytes":4000}}"#)
      return monitor
    }
    await test.logged("sent away")
    let (last, other) = try await onThread {
      let other = try RawMonitor(test.path)
      other.send(#"{"jsonrpc":"2.0","id":1,"method":"rig.echo"}"#)
      let answer = other.line()
      var last: String?
      while let line = monitor.line() { last = line }
      return (last, answer)
    }
    #expect(other == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
    let closing = try #require(RPCNotification(json: try JSONValue(json: last ?? "")))
    #expect(closing.method == "connection.closing")
    #expect(RPCError(json: closing.params)?.code == .monitorTooSlow)
    test.server.stop()
  }

  @Test("a monitor that asks and asks without reading waits, and is not sent away")
  func pipelining() async throws {
    let test = try ServerUnderTest()
    let answered = try await onThread {
      let monitor = try RawMonitor(test.path)
      let text = String(repeating: "x", count: 1000)
      // Far more than the sockets hold, from a thread of its own, so that this one can read at last.
      let sender = try RawMonitorSender(monitor.descriptor, count: 3000, text: text)
      while test.rig.methods.count < 16 { sched_yield() }
      var answered = 0
      while answered < 3000, monitor.line() != nil { answered += 1 }
      sender.join()
      return answered
    }
    #expect(answered == 3000)
    #expect(!test.sink.lines.contains { $0.event == .commandRefused })
    test.server.stop()
  }

  @Test("without a free descriptor a monitor waits, and the server lives on")
  func noDescriptors() async throws {
    let refusals = Guarded(2)
    let test = try ServerUnderTest(accept: { socket in
      let refused = refusals.withLock { left in
        left -= 1
        return left >= 0
      }
      return refused ? -EMFILE : cl_accept(socket)
    })
    let line = try await onThread {
      let monitor = try RawMonitor(test.path)
      monitor.send(#"{"jsonrpc":"2.0","id":1,"method":"rig.echo"}"#)
      return monitor.line()
    }
    #expect(line == #"{"id":1,"jsonrpc":"2.0","result":{}}"#)
    #expect(test.sink.lines.contains { $0.message.contains("Too many open files") })
    test.server.stop()
  }

  @Test("more monitors than the limit are turned away with the reason")
  func tooMany() async throws {
    let test = try ServerUnderTest()
    let line = try await onThread {
      let monitors = try (0..<256).map { _ in try RawMonitor(test.path) }
      // All are in when the last is answered.
      monitors[255].send(#"{"jsonrpc":"2.0","id":1,"method":"rig.echo"}"#)
      _ = monitors[255].line()
      return try RawMonitor(test.path).line()
    }
    #expect(line?.contains(#""reason":"monitor.too-many""#) == true)
    test.server.stop()
  }

  @Test("stop closes the connections and takes the socket away")
  func stops() async throws {
    let test = try ServerUnderTest()
    let monitor = try await onThread {
      let monitor = try RawMonitor(test.path)
      monitor.send(#"{"jsonrpc":"2.0","id":1,"method":"rig.wait"}"#)
      return monitor
    }
    test.server.stop()
    let line = try await onThread { monitor.line() }
    #expect(line == nil)
    #expect(access(test.path, F_OK) != 0)
    test.rig.open()
  }
}
