import Testing

@Suite("The layers")
struct LayerTests {
  private let manifest = Manifest(SourceTree.read("Package.swift") ?? "")
  private let sources = SourceTree.files("Sources")

  /// What the system and the toolchain give to every layer.
  private static let everywhere: Set<String> = [
    "Glibc", "FoundationEssentials", "Synchronization", "Dispatch", "_Concurrency",
  ]

  @Test("the manifest and the sources name the same targets")
  func complete() {
    #expect(manifest.targets.count > 20)
    #expect(sources.count > 20)
    for file in sources { #expect(manifest[file.target] != nil, "\(file.path) belongs to no target") }
  }

  @Test("a target depends only on what stands above it in the manifest")
  func down() {
    for (index, target) in manifest.targets.enumerated() {
      for dependency in target.dependencies {
        let position = manifest.position(dependency)
        #expect(
          position.map { $0 < index } == true, "\(target.name) depends on \(dependency), which does not stand above it")
      }
    }
  }

  @Test("a file imports only what its target declares")
  func declared() {
    for file in sources {
      let declared = Set(manifest[file.target]?.dependencies ?? [])
      for module in file.imports where !Self.everywhere.contains(module) {
        #expect(declared.contains(module), "\(file.path) imports \(module)")
      }
    }
  }

  @Test("camrigctl knows the rig's words and wires only, none of its machinery")
  func controlProgram() {
    #expect(
      manifest["camrigctl"].map { Set($0.dependencies) }
        == ["CLinux", "CamrigModel", "DaemonKit", "HTTP", "RigClient"])
  }

  @Test("the reader of the manifest sees what is there")
  func reader() {
    let manifest = Manifest(
      """
      func module() {}
      let package = Package(products: [.executable(name: "p", targets: ["p"])],
        targets: [
          library("C", pkgConfig: "libc", apt: "c-dev"),
          module("A", ["C"]),
          module(
            "B",
            ["C", "A"]),
          .target(name: "S", dependencies: ["A"], path: "Tests/S"),
          tests("ATests", ["A"]),
        ])
      """)
    #expect(manifest.targets.map(\.name) == ["C", "A", "B", "S"])
    #expect(manifest.targets.map(\.dependencies) == [[], ["C"], ["C", "A"], ["A"]])
  }
}
