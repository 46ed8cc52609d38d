// swift-tools-version: 6.0
import PackageDescription

// The layers of camrig, lowest first. A target imports only what stands above it in this file
// (`ArchitectureTests` holds the sources to that).

/// A C library of the system, found by pkg-config.
func library(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: [.swiftLanguageMode(.v6)])
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: [.swiftLanguageMode(.v6)])
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"],
    swiftSettings: [.swiftLanguageMode(.v6)])
}

let package = Package(
  name: "camrig",
  products: [
    .executable(name: "camrigd", targets: ["camrigd"]),
    .executable(name: "camrigctl", targets: ["camrigctl"]),
    // What Tests/Fuzz/run links with libFuzzer.
    .library(name: "CamrigFuzz", type: .static, targets: ["Fuzz"]),
    .executable(name: "camrig-torch", targets: ["camrig-torch"]),
  ],
  targets: [
    // Layer 0: what Swift cannot import itself, the words of the rig, and what every daemon needs.
    library("CUdev", pkgConfig: "libudev", apt: "libudev-dev"),
    library("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    library("CTurboJPEG", pkgConfig: "libturbojpeg", apt: "libturbojpeg0-dev"),
    library("CXXHash", pkgConfig: "libxxhash", apt: "libxxhash-dev"),
    library("CFFmpeg", pkgConfig: "libavcodec libavutil libswscale libswresample", apt: "libavcodec-dev"),
    library("CWebSockets", pkgConfig: "libwebsockets", apt: "libwebsockets-dev"),
    library("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
    library("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
    library("CAvahi", pkgConfig: "avahi-client", apt: "libavahi-client-dev"),
    library("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    .target(name: "CLinux"),
    .target(name: "CVideo4Linux"),
    .target(name: "CFFmpegShim", dependencies: ["CFFmpeg"]),
    .target(name: "CCertificates", dependencies: ["COpenSSL"]),
    module("CamrigModel", ["CLinux"]),
    module("DaemonKit", ["CLinux", "CSystemd", "CamrigModel"]),

    // Layer 1: one thing each, knowing no rig.
    module("V4L2", ["CLinux", "CVideo4Linux", "CamrigModel"]),
    module("Frames", ["CLinux", "CamrigModel"]),
    module("Sound", ["CLinux", "CALSA", "CamrigModel"]),
    module("Movie", ["CLinux", "CXXHash", "CamrigModel"]),
    module("Codec", ["CLinux", "CTurboJPEG", "CFFmpeg", "CFFmpegShim", "CamrigModel", "Frames"]),
    module("HTTP", ["CLinux", "CWebSockets", "CCertificates", "CamrigModel", "DaemonKit"]),
    module("Pairing", ["CCertificates", "CQREncode", "CamrigModel"]),
    module("Discovery", ["CAvahi", "CamrigModel", "DaemonKit"]),
    module("Settings", ["CamrigModel", "DaemonKit"]),
    module("Lights", ["CLinux", "CamrigModel", "DaemonKit"]),

    // Layer 2: cameras into frames, frames into takes.
    module(
      "Capture",
      [
        "CLinux", "CUdev", "CVideo4Linux", "CamrigModel", "DaemonKit", "V4L2", "Frames", "Sound", "Codec", "Settings",
      ]),
    module(
      "Recording",
      ["CLinux", "CSQLite", "CamrigModel", "DaemonKit", "Frames", "Movie", "Codec", "Settings"]),
    module("Streaming", ["CamrigModel", "DaemonKit", "Frames", "Codec"]),

    // Layer 3: the rig as one machine.
    module(
      "RigControl",
      [
        "CamrigModel", "DaemonKit", "Frames", "Sound", "Codec", "Settings", "Lights", "Capture", "Recording",
        "Streaming",
      ]),

    // Layer 4: whoever operates it. The files of the web page stand in the program itself, by way of a C target.
    .target(name: "CWebPage", cSettings: [.headerSearchPath("../Monitor/Web")]),
    .target(
      name: "Monitor",
      dependencies: [
        "CLinux", "CWebPage", "CamrigModel", "DaemonKit", "Frames", "Movie", "Codec", "HTTP", "Pairing", "Discovery",
        "Streaming", "Recording", "RigControl",
      ],
      exclude: ["Web"], swiftSettings: [.swiftLanguageMode(.v6)]),

    // The other end: a rig as programs in the network see it.
    module("RigClient", ["CLinux", "CamrigModel", "DaemonKit", "HTTP"]),

    // Layer 5: the two programs, and the helper that has the right to switch lights.
    program("camrig-torch", ["CLinux", "CamrigModel", "DaemonKit", "Settings", "Lights"]),
    program(
      "camrigd",
      [
        "CLinux", "CamrigModel", "DaemonKit", "HTTP", "Settings", "Lights", "Capture", "Recording", "RigControl",
        "Monitor",
      ]),
    program("camrigctl", ["CLinux", "CamrigModel", "DaemonKit", "HTTP", "RigClient"]),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["CLinux", "CamrigModel", "DaemonKit", "Frames"],
      path: "Tests/TestSupport", swiftSettings: [.swiftLanguageMode(.v6)]),
    .target(
      name: "CaptureSupport", dependencies: ["CamrigModel", "Capture", "TestSupport"], path: "Tests/CaptureSupport",
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .target(
      name: "MovieSupport", dependencies: ["CamrigModel", "Movie"], path: "Tests/MovieSupport",
      swiftSettings: [.swiftLanguageMode(.v6)]),
    tests("CamrigModelTests", ["CamrigModel"]),
    tests("DaemonKitTests", ["DaemonKit"]),
    tests("V4L2Tests", ["V4L2", "CaptureProbe"]),
    tests("FramesTests", ["Frames"]),
    tests("SoundTests", ["CLinux", "CamrigModel", "DaemonKit", "Sound"]),
    tests("MovieTests", ["Movie", "MovieSupport"]),
    tests("CodecTests", ["Codec"]),
    tests("HTTPTests", ["CLinux", "CamrigModel", "DaemonKit", "HTTP"]),
    tests("PairingTests", ["CamrigModel", "Pairing"]),
    tests("DiscoveryTests", ["CamrigModel", "DaemonKit", "Discovery"]),
    tests("SettingsTests", ["Settings"]),
    tests("LightsTests", ["CLinux", "CamrigModel", "DaemonKit", "Lights"]),
    .executableTarget(
      name: "CaptureProbe", dependencies: ["CLinux", "CamrigModel", "DaemonKit", "Settings", "Frames", "Capture"],
      path: "Tests/CaptureProbe", swiftSettings: [.swiftLanguageMode(.v6)]),
    tests(
      "CaptureTests",
      [
        "CLinux", "CamrigModel", "DaemonKit", "Settings", "Frames", "Sound", "V4L2", "Codec", "Capture", "Recording",
        "CaptureProbe", "CaptureSupport",
      ]),
    tests("RecordingTests", ["Recording", "Movie", "Codec", "Settings"]),
    tests("StreamingTests", ["Streaming", "CamrigModel", "Codec", "Frames"]),
    tests(
      "RigControlTests",
      ["CLinux", "RigControl", "CamrigModel", "Settings", "Sound", "Capture", "Movie", "Recording", "CaptureSupport"]),
    tests("MonitorTests", ["Monitor", "CamrigModel", "HTTP", "Streaming", "RigControl", "Settings", "CaptureSupport"]),
    tests("RigClientTests", ["RigClient", "CamrigModel", "HTTP", "DaemonKit"]),
    tests("DaemonTests", ["CLinux", "CamrigModel", "Codec", "HTTP"]),
    .target(
      name: "Fuzz",
      dependencies: [
        "CLinux", "CamrigModel", "DaemonKit", "Frames", "Movie", "Codec", "HTTP", "Settings", "Capture", "Streaming",
        "RigControl", "Monitor", "MovieSupport",
      ], path: "Tests/Fuzz", exclude: ["README.md", "run", "seeds"], swiftSettings: [.swiftLanguageMode(.v6)]),
    tests("ArchitectureTests", []),
  ]
)
