import CamrigModel
import DaemonKit
import Glibc
import Settings
import TestSupport
import Testing

@Suite("The table of configuration keys")
struct ConfigurationSchemaTests {
  private let schema = ConfigurationSchema.current

  @Test("has each key once, with words, and in a section that it has")
  func wellFormed() {
    let names = schema.keys.map { "\($0.section).\($0.name)" }
    #expect(Set(names).count == names.count)
    for key in schema.keys {
      #expect(schema.sections.contains { $0.name == key.section })
      #expect(key.documentation.hasSuffix("."))
    }
  }

  @Test("gives the shipped file, which is etc/camrig.conf")
  func sample() throws {
    // CAMRIG_WRITE_SAMPLE=1 swift test --filter ConfigurationSchemaTests
    if getenv("CAMRIG_WRITE_SAMPLE") != nil {
      try AtomicFile.write(Array(Configuration.sampleFile().utf8), to: repositoryRoot + "/etc/camrig.conf", mode: 0o644)
    }
    let shipped = try AtomicFile.read(repositoryRoot + "/etc/camrig.conf")
    #expect(
      String(decoding: shipped, as: UTF8.self) == Configuration.sampleFile(),
      "write it again with CAMRIG_WRITE_SAMPLE=1")
  }

  @Test("allows every default that it documents")
  func defaultsAreAllowed() throws {
    let directory = TemporaryDirectory()
    let path = directory.path + "/camrig.conf"
    let lines = Configuration.sampleFile().split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && line.dropFirst().first?.isLetter == true && line.contains("=") ? line.dropFirst() : line
    }
    try AtomicFile.write(Array(lines.joined(separator: "\n").utf8), to: path)
    let (configuration, warnings) = try ConfigurationLoader.load(path: path)
    #expect(configuration == Configuration())
    #expect(warnings.isEmpty)
    for key in schema.keys { #expect(lines.contains { $0.hasPrefix(key.name + "=") }) }
  }

  @Test("gives the manual page every key")
  func manual() {
    let text = Configuration.manualKeys()
    for key in schema.keys { #expect(text.contains(".BR \(key.name) =\n")) }
    #expect(!text.contains("\n\n"))
  }

  @Test(
    "reads time spans as systemd does",
    arguments: [
      ("2s", 2000), ("500ms", 500), ("1h", 3_600_000), ("10min", 600_000), ("1min 30s", 90_000), ("1h30min", 5_400_000),
      ("2", 2000), ("1.5s", 1500), ("0", 0), ("2 s", 2000),
    ])
  func spans(text: String, milliseconds: Int) {
    #expect(TimeSpan.parse(text) == .milliseconds(milliseconds))
  }

  @Test(
    "knows what is no time span or size",
    arguments: [
      "", "s", "-1s", "1e9", "2x", "1..5s", "2s,", "٣s", "999999999999999999h", "1.2345678s", ".5s", "5.",
    ])
  func noSpan(text: String) {
    #expect(TimeSpan.parse(text) == nil)
    #expect(ByteCount.parse(text) == nil)
  }

  @Test(
    "reads and writes sizes",
    arguments: [
      ("2G", Int64(2) << 30, "2G"), ("512M", 512 << 20, "512M"), ("1.5G", 3 << 29, "1536M"), ("1000", 1000, "1000"),
      ("1024", 1024, "1K"), ("0", 0, "0"), ("7B", 7, "7"),
    ])
  func sizes(text: String, bytes: Int64, written: String) {
    #expect(ByteCount.parse(text) == bytes)
    #expect(ByteCount.text(bytes) == written)
  }
}

/// Of the sources, found from this file's own place.
private var repositoryRoot: String {
  #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
}
