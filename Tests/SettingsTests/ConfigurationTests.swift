import CamrigModel
import Glibc
import Settings
import TestSupport
import Testing

@Suite("The administrator's configuration")
struct ConfigurationTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path + "/camrig.conf" }

  private func put(_ text: String, _ name: String = "camrig.conf") { put(Array(text.utf8), name) }

  private func put(_ bytes: [UInt8], _ name: String = "camrig.conf") {
    let full = directory.path + "/" + name
    if let slash = full.lastIndex(of: "/") { mkdir(String(full[..<slash]), 0o755) }
    let file = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    bytes.withUnsafeBytes { _ = write(file, $0.baseAddress, bytes.count) }
    close(file)
  }

  private func load(_ schema: ConfigurationSchema = .current) throws -> (Configuration, warnings: [String]) {
    try ConfigurationLoader.load(path: path, schema: schema)
  }

  private func problems(_ schema: ConfigurationSchema = .current) -> [String] {
    do throws(ConfigurationError) {
      _ = try ConfigurationLoader.load(path: path, schema: schema)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test("may be missing: then every key has its default, and a warning says so")
  func missing() throws {
    let (configuration, warnings) = try load()
    #expect(configuration == Configuration())
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("\(path) does not exist") == true)
  }

  @Test("may lack any key: it has its default")
  func lacking() throws {
    put("[Recording]\nPreRoll=5s\n")
    let (configuration, warnings) = try load()
    var expected = Configuration()
    expected.recording.preRoll = .seconds(5)
    #expect(configuration == expected)
    #expect(warnings.isEmpty)
  }

  @Test("is read with its drop-ins in the order of their names, the last word wins, an empty one is the default")
  func dropIns() throws {
    put("[Rig]\nDemoCameras=1\nName=a\n[Log]\nLevel=debug")
    put("[Rig]\nDemoCameras=3\n", "camrig.conf.d/20-later.conf")
    put("[Rig]\nDemoCameras=2\nName=b\n[Log]\nLevel=\n", "camrig.conf.d/10-first.conf")
    put("[Rig]\nDemoCameras=9\n", "camrig.conf.d/30-off.conf.bak")
    put("[Rig]\nDemoCameras=9\n", "camrig.conf.d/.hidden.conf")
    let (configuration, _) = try load()
    #expect(configuration.rig.demoCameras == 3)
    #expect(configuration.rig.name == "b")
    #expect(configuration.log.level == .info)
  }

  @Test("takes blanks, a BOM, Windows line ends and the same section twice")
  func tolerated() throws {
    put([0xEF, 0xBB, 0xBF] + Array("[Cameras]\r\n\tDefaultSize = 1280x720\r\n[Log]\r\n[Cameras]\r\nKeepOpen=yes".utf8))
    let (configuration, _) = try load()
    #expect(configuration.cameras.defaultSize == PixelSize(width: 1280, height: 720))
    #expect(configuration.cameras.keepOpen)
  }

  @Test(
    "names file, line, key and allowed values for each bad line",
    arguments: [
      ("[Recording]\nv\n", ":2: \"v\" is neither Key=value"),
      ("[Recording\nPreRoll=2s\n", ":1: \"[Recording\" is no section"),
      ("PreRoll=2s\n", ":1: \"PreRoll\"= stands in no section"),
      ("[Cameras]\nDefaultSize=1280×720\n", ":2: [Cameras] DefaultSize=\"1280×720\" must be a picture size"),
      ("[Cameras]\nDefaultRate=1e9\n", ":2: [Cameras] DefaultRate=\"1e9\" must be a frame rate"),
      (
        "[Recording]\nEncoderQuality=good\n",
        ":2: [Recording] EncoderQuality=\"good\" must be a whole number from 0 to 51."
      ),
      ("[Recording]\nFragmentLength=5s\n", "must be a time span from 100ms to 1s, such as"),
      ("[Recording]\nEncoder=x264\n", "must be one of auto, libx264,"),
      (
        "[Recording]\nPreRol=2s\n",
        ":2: [Recording] has no key \"PreRol\". Did you mean PreRoll=, a time span from 0 to 1min"
      ),
      ("[Rig]\nDiskReserve=2G\n", "DiskReserve= belongs to [Storage]."),
      ("[Rig]\nZzzzzz=1\n", "Its keys are Name, DemoCameras."),
      ("[Recordings]\nPreRoll=2s\n", ":1: [Recordings] is no section of this file. Did you mean [Recording]?"),
      ("[Log]\nLevel=info # quiet\n", "A comment needs a line of its own."),
      ("[Storage]\nMediaDirectory=takes\n", "must be an absolute path"),
      ("[Storage]\nMediaDirectory=/media/../etc\n", "must be an absolute path"),
      ("[Storage]\nDiskReserve=99999999999999999999G\n", "must be a size from 16M"),
      ("[Log]\nLevel=a\0b\n", "NUL"),
    ])
  func refused(text: String, words: String) {
    put(text)
    let found = problems()
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(path + ":") == true)
    #expect(found.first?.contains(words) == true, "\(found)")
  }

  @Test("is refused with all of its problems at once, in all of its files")
  func allProblems() {
    put("[Log]\nLevel=loud\nnonsense\n")
    put("[Rig]\nDemoCameras=-1\n", "camrig.conf.d/a.conf")
    put([0x5B, 0xAE, 0x5D, 0x0A], "camrig.conf.d/b.conf")
    #expect(problems().count == 4)
  }

  @Test("of ten megabytes is refused with the reason")
  func huge() {
    put([UInt8](repeating: 0x23, count: 10 << 20))
    #expect(problems().first?.contains("has 10485760 bytes") == true)
  }

  @Test("that is a directory is refused")
  func directoryInstead() {
    mkdir(path, 0o755)
    #expect(problems().first?.contains("no plain file") == true)
  }

  private var renamed: ConfigurationSchema {
    ConfigurationSchema(
      sections: ConfigurationSchema.current.sections,
      keys: [
        ConfigurationKey(
          "Recording", "PreRoll", .span(\.recording.preRoll, .zero...(.seconds(60))),
          formerNames: ["Capture.Lead"], "Words.")
      ],
      retired: ["Capture.Threads": "cameras have a thread each."])
  }

  @Test("may hold keys of earlier releases: they work, and a warning names their successors")
  func earlierRelease() throws {
    put("[Capture]\nLead=5s\nThreads=4\n")
    let (configuration, warnings) = try load(renamed)
    #expect(configuration.recording.preRoll == .seconds(5))
    #expect(warnings.count == 2)
    #expect(warnings[0].contains(":2: [Capture] Lead= is now called [Recording] PreRoll=."))
    #expect(warnings[1].contains(":3: [Capture] Threads= does nothing any more: cameras have a thread each."))
  }

  @Test("with a key under both its names follows the present one")
  func bothNames() throws {
    put("[Recording]\nPreRoll=3s\n[Capture]\nLead=5s\n")
    let (configuration, warnings) = try load(renamed)
    #expect(configuration.recording.preRoll == .seconds(3))
    #expect(warnings.count == 1)
  }

  @Test("does not know keys that no release had, also in a section of earlier releases")
  func neverWas() {
    put("[Capture]\nNever=1\n")
    #expect(problems(renamed).first?.contains("has no key \"Never\"") == true)
  }
}
