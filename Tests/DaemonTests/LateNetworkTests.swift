import CamrigModel
import Glibc
import TestSupport
import Testing

extension TestDaemon {
  /// Starts it where there is no network.
  fileprivate static let apart = ["unshare", "--user", "--map-current-user", "--net"]
  fileprivate static let mayBeApart =
    isForeign && Program.run("unshare", ["--net", "true"]).status == 0
    && Program.run("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups"] + apart + ["true"]).status == 0
}

extension DaemonTests {
  /// The daemon and another machine in network namespaces of their own, with nothing between them at first.
  @Suite("A network that comes late, and changes", .enabled(if: TestDaemon.mayBeApart, "needs root and namespaces"))
  struct LateNetwork {
    private let machine = RunningProgram("unshare", ["--net", "sleep", "600"])

    private func ip(_ process: Int32, _ words: String) async {
      let all = ["--target", "\(process)", "--net", "ip"] + words.split(separator: " ").map(String.init)
      let run = await Program.ended("nsenter", all)
      #expect(run.status == 0, "\(words): \(run.errors)")
    }

    /// What the other machine hears there: the status of the page, and the names of the certificate.
    private func ask(_ from: Int32, _ address: String, _ port: Substring) async -> (page: String, names: String) {
      let there = ["--target", "\(from)", "--net"]
      let page = await Program.ended(
        "nsenter",
        there + ["curl", "-sk", "-m", "5", "-o", "/dev/null", "-w", "%{http_code}", "https://\(address):\(port)/"])
      let names = await Program.ended(
        "nsenter",
        there + [
          "sh", "-c",
          "openssl s_client -connect \(address):\(port) </dev/null 2>/dev/null | openssl x509 -noout -ext subjectAltName",
        ])
      return (page.text, names.text)
    }

    @Test("it is ready without any interface, and is reached under each address that comes, with a certificate for it")
    func late() async throws {
      let daemon = TestDaemon(TestDaemon.ownKeys, demo: 1, listen: "*:0")
      try await daemon.start(through: TestDaemon.apart)
      #expect(await daemon.ctl("cameras").status == 0)
      let network = try #require(try await daemon.json("status", as: RigStatus.self).network)
      #expect(network.problems == [])
      let port = try #require(network.urls.first?.dropLast().split(separator: ":").last)
      let (rig, other) = (try #require(daemon.process), try #require(machine.process))
      try await wait("two namespaces") {
        Program.run("readlink", ["/proc/\(other)/ns/net"]).text != Program.run("readlink", ["/proc/self/ns/net"]).text
      }

      await ip(other, "link add cable type veth peer name cable netns \(rig)")
      await ip(other, "addr add 10.78.0.2/16 dev cable")
      await ip(other, "link set cable up")
      await ip(rig, "link set cable up")
      for (address, former) in [("10.78.0.1", nil), ("10.78.7.7", "10.78.0.1")] as [(String, String?)] {
        if let former { await ip(rig, "addr del \(former)/16 dev cable") }
        await ip(rig, "addr add \(address)/16 dev cable")
        try await wait("the page at \(address)") {
          let (page, names) = await ask(other, address, port)
          return page == "200" && names.contains("IP Address:\(address)")
        }
        try await wait("its address in the status") {
          let urls = try await daemon.json("status", as: RigStatus.self).network?.urls ?? []
          return urls.contains("https://\(address):\(port)/") && !urls.contains { $0.contains(former ?? "none") }
        }
      }
      machine.signal(SIGKILL)
    }
  }
}
