import CamrigModel
import TestSupport
import Testing

extension DaemonTests {
  @Suite("camrigctl's pairing")
  struct ApprovalCommands {
    @Test("connect --ask is let in once the digits that it shows are approved on the rig")
    func approved() async throws {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      #expect(await daemon.ctl("monitors", "requests").text == "Nobody asks to be let in.\n")
      let asking = user.start(plain: "connect", user.host, "--ask", "--fingerprint", user.fingerprint)
      try await wait("the request") { await daemon.ctl("monitors").text.contains("asks to be let in") }
      let request = try #require(
        try await daemon.json("monitors", "requests", as: [PairingRequestDescription].self).first)
      #expect(asking.errors.contains("the same digits: \(request.check)"), "\(asking.errors)")
      let wrong = request.check == "0000" ? "0001" : "0000"
      let refused = await daemon.ctl("monitors", "approve", wrong)
      #expect(refused.status == ExitStatus.noInput.rawValue)
      #expect(refused.errors.contains("No device that asks to be let in shows \(wrong)"), "\(refused.errors)")
      #expect(await daemon.ctl("monitors", "approve", request.check, "--role", "viewer").status == 0)
      let end = await asking.ended(seconds: 30)
      #expect(end.status == 0 && end.text.contains("as viewer"), "\(end.errors)")
      #expect(await user.ctl("cameras").status == 0)
    }

    @Test("who is sent away ends with 77")
    func denied() async throws {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      let asking = user.start(plain: "connect", user.host, "--ask", "--fingerprint", user.fingerprint)
      try await wait("the request") { await daemon.ctl("monitors").text.contains("asks to be let in") }
      let check = try #require(
        try await daemon.json("monitors", "requests", as: [PairingRequestDescription].self).first
      ).check
      #expect(await daemon.ctl("monitors", "deny", check).status == 0)
      let end = await asking.ended(seconds: 30)
      #expect(end.status == ExitStatus.noPerm.rawValue)
      #expect(end.errors.contains("a paired monitor has said no"), "\(end.errors)")
      #expect(try await daemon.json("monitors", as: [MonitorDescription].self).isEmpty)
    }

    @Test("pair shows a QR code of the page with the code on a terminal, and only there")
    func qr() async throws {
      let daemon = TestDaemon(listen: "127.0.0.1:0")
      try await daemon.start()
      let user = try await RemoteUser(daemon)
      let shown = await user.typing([], "--runtime-dir", daemon.directory.path + "/run", "pair")
      // A terminal's lines end with both, which is one character to Swift.
      let lines = shown.text.split(whereSeparator: \.isNewline).map(String.init)
      let url = try #require(
        lines.compactMap { line in line.split(separator: " ").first { $0.hasPrefix("https://") } }.first)
      let path = user.folder.path + "/code.pgm"
      FileBytes.write(Self.picture(of: lines.filter { $0.contains("\u{1B}[30;107m") }), to: path)
      let read = await Program.ended("zbarimg", ["-q", "--raw", path])
      #expect(read.lines.first == String(url), "\(read.errors)\(shown.text)")
      for words in [["pair"], ["pair", "--json"]] { #expect(!(await daemon.ctl(words).text.contains("▀"))) }
      let without = await user.typing([], "--runtime-dir", daemon.directory.path + "/run", "pair", "--no-qr")
      #expect(without.text.contains("fingerprint") && !without.text.contains("▀"))
    }

    /// What a camera would see of these lines, as a PGM: eight points a module.
    private static func picture(of lines: [String]) -> [UInt8] {
      let rows = lines.flatMap { line -> [[UInt8]] in
        let blocks = line.filter { " ▀▄█".contains($0) }
        return ["▀█", "▄█"].map { dark in blocks.map { dark.contains($0) ? 0 : 255 } }
      }
      let width = (rows.first?.count ?? 0) * 8
      let points = rows.flatMap { row in
        Array(repeating: row.flatMap { [UInt8](repeating: $0, count: 8) }, count: 8).flatMap { $0 }
      }
      return Array("P5\n\(width) \(rows.count * 8)\n255\n".utf8) + points
    }
  }
}
