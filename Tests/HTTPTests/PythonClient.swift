import TestSupport

/// A WebSocket's client that we did not write: Debian's python3-websockets.
enum PythonClient {
  /// - Parameter body: the inside of an async function with `connect(path, **options)`, printing what it sees.
  static func script(_ server: TestServer, _ body: String) -> RunningProgram {
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
    return RunningProgram(
      // Debian's own: another one on the path would not have the package.
      "/usr/bin/python3",
      [
        "-u", "-c",
        """
        import asyncio, sys, websockets
        from websockets.exceptions import ConnectionClosed, InvalidStatusCode
        def connect(path, **options):
            options.setdefault("max_size", None)
            return websockets.connect("ws://127.0.0.1:\(server.port)" + path, **options)
        async def main():
        \(lines.joined(separator: "\n"))
        asyncio.run(asyncio.wait_for(main(), 60))
        """,
      ])
  }

  static func run(_ server: TestServer, _ body: String) async -> Program { await script(server, body).ended() }
}
