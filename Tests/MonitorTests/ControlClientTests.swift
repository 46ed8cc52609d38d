import CLinux
import CamrigModel
import Glibc
import Monitor
import TestSupport
import Testing

@Suite("The operator's end of the control socket", .timeLimit(.minutes(5)))
struct ControlClientTests {
  private func failure(_ path: String) async throws -> String {
    try await onThread {
      do throws(ControlClientError) {
        _ = try ControlClient(path: path)
        return ""
      } catch {
        return error.description
      }
    }
  }

  @Test("without a socket it says that the service does not run, and how to look")
  func noSocket() async throws {
    let directory = TemporaryDirectory()
    let text = try await failure(directory.path + "/control.sock")
    #expect(
      text == "camrigd does not run here: there is no \(directory.path)/control.sock. "
        + "Look with: systemctl status camrig")
  }

  @Test("a socket left by a dead service says the same")
  func stale() async throws {
    let directory = TemporaryDirectory()
    let dead = cl_unix_socket()
    #expect(cl_unix_bind(dead, directory.path + "/control.sock") == 0)
    close(dead)
    #expect(try await failure(directory.path + "/control.sock").hasPrefix("camrigd does not run: nobody answers at "))
  }

  @Test("who may not use it is told of the group")
  func notPermitted() {
    let text = ControlClientError.notPermitted("/run/camrig/control.sock").description
    #expect(text.contains("sudo adduser $USER camrig, then log in again"))
  }

  @Test("an answer that does not come is a time-out, and the next request is answered as its own")
  func timeOut() async throws {
    let test = try ServerUnderTest()
    let (error, echo) = try await onThread { () -> (ControlClientError?, JSONValue) in
      let client = try ControlClient(path: test.path)
      var failure: ControlClientError?
      do throws(ControlClientError) {
        _ = try client.call("rig.wait", timeout: .milliseconds(20))
      } catch {
        failure = error
      }
      test.rig.open()
      return (failure, try client.call("rig.echo", ["a": 1], timeout: .seconds(100)))
    }
    #expect(error == .timedOut("rig.wait", .milliseconds(20)))
    #expect(echo == ["a": 1])
    test.server.stop()
  }

  @Test("the rig's refusal arrives with its reason and its words")
  func refused() async throws {
    let test = try ServerUnderTest()
    let error = try await onThread { () -> ControlClientError? in
      do throws(ControlClientError) {
        _ = try ControlClient(path: test.path).call("rig.unheard", timeout: .seconds(100))
        return nil
      } catch {
        return error
      }
    }
    #expect(error == .refused(RPCError(.methodUnknown, "there is no method rig.unheard")))
    test.server.stop()
  }

  @Test("a service that ends is said to have closed the connection")
  func closed() async throws {
    let test = try ServerUnderTest()
    let error = try await onThread { () -> ControlClientError? in
      do throws(ControlClientError) {
        let client = try ControlClient(path: test.path)
        _ = try client.call("rig.echo", timeout: .seconds(100))
        test.server.stop()
        _ = try client.nextNotification()
        return nil
      } catch {
        return error
      }
    }
    #expect(error == .closed(test.path))
  }
}
