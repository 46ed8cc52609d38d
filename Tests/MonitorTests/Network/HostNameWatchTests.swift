import CamrigModel
import Glibc
import Monitor
import TestSupport
import Testing

@Suite("When this machine is called otherwise", .timeLimit(.minutes(5)))
struct HostNameWatchTests {
  /// In a namespace of its own: the kernel tells all who watch, and this machine keeps its name.
  private static func rename() -> Bool { Program.run("unshare", ["--uts", "hostname", "camrig-test"]).status == 0 }

  @Test("the kernel tells at once, each time", .enabled(if: geteuid() == 0 && rename(), "needs root and namespaces"))
  func tells() async throws {
    let told = Guarded(0)
    let watch = try #require(HostNameWatch { told.withLock { $0 += 1 } })
    for round in 1...3 {
      #expect(Self.rename())
      await eventually { told.withLock { $0 } >= round }
    }
    withExtendedLifetime(watch) {}
  }
}
