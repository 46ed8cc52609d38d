import CamrigModel
import DaemonKit
import Glibc
import HTTP
import RigClient
import TestSupport
import Testing

@Suite("The rigs that a user knows")
struct RigBookTests {
  private func rig(_ name: String, _ address: String, _ digit: Character, token: String = "t") throws -> KnownRig {
    KnownRig(
      name: name, address: try #require(RigAddress(address)),
      fingerprint: try #require(CertificateFingerprint(String(repeating: digit, count: 64))), token: token)
  }

  @Test("are found by address, and by a name that only one has")
  func find() throws {
    var rigs = KnownRigs()
    rigs.keep(try rig("Stage", "stage.local", "a"))
    rigs.keep(try rig("Booth", "192.0.2.7:9000", "b"))
    #expect(rigs.find("stage")?.name == "Stage")
    #expect(rigs.find("STAGE.local:8470")?.name == "Stage")
    #expect(rigs.find("192.0.2.7:9000")?.name == "Booth")
    #expect(rigs.find("192.0.2.7") == nil)
    rigs.keep(try rig("stage", "192.0.2.8", "c"))
    #expect(rigs.find("stage") == nil)
  }

  @Test("the same rig under a new address takes its old place; another rig at an address replaces what was there")
  func moves() throws {
    var rigs = KnownRigs()
    rigs.keep(try rig("Stage", "192.0.2.7", "a", token: "old"))
    rigs.keep(try rig("Stage", "192.0.2.9", "a", token: "new"))
    #expect(rigs.rigs.map(\.token) == ["new"])
    rigs.keep(try rig("Booth", "192.0.2.9", "b"))
    #expect(rigs.rigs.map(\.name) == ["Booth"])
  }

  @Test("are kept in a file for this user alone, with what a newer version wrote beside")
  func file() throws {
    let folder = TemporaryDirectory()
    let book = try #require(RigBook(Environment(["XDG_CONFIG_HOME": folder.path + "/new/config", "HOME": "/nowhere"])))
    #expect(book.path == folder.path + "/new/config/camrig/rigs.json")
    #expect(try book.read() == KnownRigs())
    let stage = try rig("Stage", "stage.local", "a")
    try book.change { $0.keep(stage) }
    var status = stat()
    #expect(stat(book.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let digits = String(repeating: "a", count: 64)
    FileBytes.write(
      Array(
        #"{"later":1,"rigs":[{"address":"stage.local:8470","colour":"red","fingerprint":"sha256:\#(digits)","name":"Stage","token":"t"}]}"#
          .utf8), to: book.path)
    try book.change { rigs in
      guard var stage = rigs.find("stage") else { return }
      stage.name = "Left stage"
      rigs.keep(stage)
    }
    #expect(
      String(decoding: FileBytes.read(book.path), as: UTF8.self)
        == #"{"later":1,"rigs":[{"address":"stage.local:8470","colour":"red","fingerprint":"sha256:\#(digits)","name":"Left stage","token":"t"}]}"#
        + "\n")
  }

  @Test("a file that makes no sense is an error with the cure, and stays as it is")
  func unreadable() throws {
    let folder = TemporaryDirectory()
    let book = RigBook(path: folder.path + "/rigs.json")
    FileBytes.write(Array("{\"rigs\":[{}]}".utf8), to: book.path)
    #expect(throws: RigBookError.unreadable(book.path)) { try book.change { _ in } }
    #expect(FileBytes.read(book.path) == Array("{\"rigs\":[{}]}".utf8))
    #expect(RigBookError.unreadable("X").description.contains("Move it away and pair again"))
  }
}
