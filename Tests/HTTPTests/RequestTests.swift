import CamrigModel
import HTTP
import TestSupport
import Testing

@Suite("Requests and responses", .serialized, .timeLimit(.minutes(5)))
struct RequestTests {
  @Test("a request gets its answer, with its query decoded and the security headers of a page")
  func answer() async throws {
    let server = try TestServer()
    let run = await server.curl("-i", "/hello?name=a%20b%26c&x")
    #expect(run.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(run.text.hasSuffix("\r\n\r\nhello a b&c\n"))
    for header in [
      "content-length: 12", "content-type: text/plain; charset=utf-8", "x-content-type-options: nosniff",
      "x-frame-options: DENY", "referrer-policy: no-referrer", "cache-control: no-cache",
    ] {
      #expect(run.text.contains("\r\n\(header)\r\n"), "\(header)")
    }
    #expect(run.text.contains("content-security-policy: default-src 'self'"))
    let head = server.site.content.withLock { $0.requests.last }
    #expect(head?.query("x") == "")
    #expect(head?.headers["host"] == "127.0.0.1:\(server.port)")
  }

  @Test("HEAD says what GET would, without the body, and the connection goes on")
  func head() async throws {
    let server = try TestServer()
    let run = await server.curl("-i", "-I", "/hello")
    #expect(run.text.contains("\r\ncontent-length: 7\r\n"))
    #expect(run.text.hasSuffix("\r\n\r\n"))
    let heads = try await onThread {
      let raw = try server.raw()
      raw.send(Array("HEAD /hello HTTP/1.1\r\nHost: rig\r\n\r\n".utf8))
      let first = raw.responseHead().first
      raw.send(Array("GET /hello HTTP/1.1\r\nHost: rig\r\n\r\n".utf8))
      return [first, raw.responseHead().first, raw.line()]
    }
    #expect(heads == ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "hello "])
  }

  @Test("what is not there is 404, a method that an address does not take 405 with those that it takes")
  func refusals() async throws {
    let server = try TestServer()
    #expect(await server.curl("-w", "%{http_code}", "-o", "/dev/null", "/none").text == "404")
    let run = await server.curl("-i", "/echo")
    #expect(run.text.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
    #expect(run.text.contains("\r\nallow: POST\r\n"))
  }

  @Test("several requests go over one connection")
  func keepAlive() async throws {
    let server = try TestServer()
    let run = await server.curl("--data", "abc", "\(server.url)/echo", "\(server.url)/echo", "/echo")
    #expect(run.text == "abcabcabc")
    #expect(Set(server.site.content.withLock { $0.requests.map(\.connection) }).count == 1)
    #expect(server.site.content.withLock { $0.requests.count } == 3)
  }

  @Test("a large response arrives whole")
  func large() async throws {
    let server = try TestServer()
    let run = await server.curl("/big")
    #expect(run.output.count == 3 << 20)
    #expect(run.status == 0)
  }

  @Test("a body is taken in whole, up to the limit, also with Expect: 100-continue")
  func body() async throws {
    let server = try TestServer { $0.limits.bodyBytes = 200_000 }
    let bytes = [UInt8](repeating: 0x37, count: 200_000)
    let run = await server.curl("--data-binary", "@-", "-H", "Expect: 100-continue", "/echo", input: bytes)
    let isWhole = FileBytes.areEqual(run.output, bytes)
    #expect(isWhole, "\(run.errors)")
    let tooLong = await server.curl(
      "-w", " %{http_code}", "--data-binary", "@-", "/echo", input: bytes + [0x37])
    #expect(
      tooLong.text == """
        {"code":"request.too-large","error":"A request's body is at most 200000 bytes long here."}
         413
        """)
  }

  @Test("a body is refused unread by who serves the address")
  func refusedBody() async throws {
    let server = try TestServer()
    let run = await server.curl("-w", " %{http_code}", "--data", "abc", "/closed")
    #expect(run.text == "nothing is taken here\n 403")
    #expect(server.site.content.withLock { $0.requests.isEmpty })
  }

  @Test("an empty POST is a request like another")
  func emptyBody() async throws {
    let server = try TestServer()
    #expect(await server.curl("-X", "POST", "-H", "Content-Length: 0", "-w", "%{http_code}", "/echo").text == "200")
    #expect(server.site.content.withLock { $0.requests.count } == 1)
  }

  @Test(
    "what is no proper request is refused with a reason, and the connection closed",
    arguments: [
      ("GET /hello HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request"),
      ("GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "HTTP/1.1 400 Bad Request"),
      ("POST /echo HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 411 Length Required"),
      (
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 411 Length Required"
      ),
      (
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        "HTTP/1.1 400 Bad Request"
      ),
      ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\nabc", "HTTP/1.1 400 Bad Request"),
      ("GET /a&b HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 400 Bad Request"),
      ("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 400 Bad Request"),
    ])
  func malformed(request: String, expected: String) async throws {
    let server = try TestServer { $0.lastWordSeconds = 1 }
    let lines = try await onThread {
      let raw = try server.raw()
      raw.send(Array(request.utf8))
      return raw.rest()
    }
    #expect(lines.first == expected)
    #expect(lines.contains("connection: close"))
  }

  @Test(
    "what libwebsockets itself cannot read ends the connection",
    arguments: [
      "CONNECT rig:22 HTTP/1.1\r\nHost: a\r\n\r\n", "BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
      "GET /hello HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    ])
  func unreadable(request: String) async throws {
    let server = try TestServer()
    let lines = try await onThread {
      let raw = try server.raw()
      raw.send(Array(request.utf8))
      return raw.rest()
    }
    #expect(lines.first?.hasPrefix("HTTP/1.1 200") != true)
    #expect(await server.curl("/hello").text == "hello \n")
  }

  @Test("headers beyond the limit end the connection, and no other")
  func longHeaders() async throws {
    let server = try TestServer { $0.limits.headerBytes = 4096 }
    let run = await server.curl("-H", "Cookie: \(String(repeating: "a", count: 6000))", "/hello")
    #expect(run.status != 0)
    #expect(await server.curl("/hello").text == "hello \n")
  }

  @Test("paths cannot climb, and keep what is encoded in them")
  func paths() async throws {
    let server = try TestServer()
    for (sent, path) in [("/a/../../b", "/b"), ("/%2e%2e/b", "/b"), ("//a", "/a"), ("/t/a%2Bb%20c", "/t/a+b c")] {
      _ = await server.curl("--path-as-is", sent)
      #expect(server.site.content.withLock { $0.requests.last?.path } == path)
    }
  }

  @Test("a header's value cannot end its line")
  func injection() async throws {
    let server = try TestServer()
    let run = await server.curl("-i", "/inject")
    #expect(run.text.contains("\r\nx-name: ax-evil: 1\r\n"))
  }

  // libwebsockets 4.1 answers them, 4.3 closes the connection.
  @Test("requests sent ahead are answered one after the other, or not at all")
  func pipelined() async throws {
    let server = try TestServer()
    let lines = try await onThread {
      let raw = try server.raw()
      raw.send(Array("GET /hello?name=1 HTTP/1.1\r\nHost: a\r\n\r\nGET /hello?name=2 HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      _ = raw.responseHead()
      let first = raw.line()
      _ = raw.responseHead()
      return [first, raw.line()]
    }
    #expect(lines == ["hello 1", "hello 2"] || lines == [nil, nil])
  }

  @Test("a request sent ahead behind a body is answered, or the connection closed; never mixed up")
  func pipelinedBehindBody() async throws {
    let server = try TestServer()
    let lines = try await onThread {
      let raw = try server.raw()
      raw.send(
        Array(
          ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabc\n"
            + "GET /hello?name=2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").utf8))
      return [raw.responseHead().first ?? "", raw.line() ?? ""] + raw.rest()
    }
    #expect(lines[...1] == ["HTTP/1.1 200 OK", "abc"] || lines == ["", ""])
    let rest = Array(lines[2...])
    #expect(rest.isEmpty || (rest.first == "HTTP/1.1 200 OK" && rest.last == "hello 2"))
  }

  @Test("HTTP/1.0 is answered, and the connection closed")
  func old() async throws {
    let server = try TestServer()
    let run = await server.curl("-0", "-i", "/hello")
    #expect(run.text.hasSuffix("hello \n"))
    #expect(run.status == 0)
  }

  @Test("the handler is cancelled when its connection ends while it works")
  func cancelled() async throws {
    let server = try TestServer { $0.limits.answerSeconds = 1 }
    async let run = server.curl("/slow")
    #expect(await run.status == 52)
    await eventually { server.site.content.withLock { $0.abandoned } == 1 }
  }
}
