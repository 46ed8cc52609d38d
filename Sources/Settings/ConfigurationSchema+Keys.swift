extension ConfigurationSchema {
  static let rigKeys = [
    ConfigurationKey(
      "Rig", "Name",
      .text(\.rig.name, allowed: "a name of at most 63 characters, or empty") { $0.count <= 63 },
      "The name of the rig that monitors show. Empty: the host's name."),
    ConfigurationKey(
      "Rig", "DemoCameras", .count(\.rig.demoCameras, 0...16),
      "So many test-pattern cameras are added to the real ones: to try the rig without a camera, and to test what "
        + "shows its pictures."),
  ]

  static let storageKeys = [
    ConfigurationKey(
      "Storage", "MediaDirectory", .path(\.storage.mediaDirectory),
      "The directory of the takes. Empty: the directory takes below the state directory (/var/lib/camrig). The "
        + "service's sandbox must allow any other path: see ReadWritePaths= in systemd.exec(5) and the example in "
        + "/usr/share/doc/camrig/examples."),
    ConfigurationKey(
      "Storage", "SecondDirectory", .path(\.storage.secondDirectory),
      "A directory on another volume, for when that of the takes is full, read-only, gone or fails: takes and photos then "
        + "begin there, and one that its volume has ended goes on there in a new take. A timelapse does not use it. It is "
        + "never made, and needs ReadWritePaths= as well. Empty: there is none."),
    ConfigurationKey(
      "Storage", "DiskReserve", .size(\.storage.diskReserveBytes, 16 << 20...1 << 50),
      "When less than this is free on the volume of the takes, a recording is finished cleanly and none begins."),
    ConfigurationKey(
      "Storage", "ClipLength", .span(\.storage.clipLength, .seconds(60)...(.seconds(86400))),
      "A clip that has become so long is finished, and the take goes on in a new one."),
  ]

  static let recordingKeys = [
    ConfigurationKey(
      "Recording", "PreRoll", .span(\.recording.preRoll, .zero...(.seconds(60))),
      "A take may begin so long before Record was pressed, as far as the camera was open then."),
    ConfigurationKey(
      "Recording", "PreRollBytes", .size(\.recording.preRollBytes, 1 << 20...1 << 34),
      "The most memory that one camera's pre-roll takes. Beyond it the pre-roll gets shorter than PreRoll=."),
    ConfigurationKey(
      "Recording", "QueueLength", .span(\.recording.queueLength, .milliseconds(500)...(.seconds(60))),
      "So long may a slow disk hold up one camera's recording before pictures are lost: the time from the oldest "
        + "picture that waits to the newest. QueueBytes= may be reached earlier, and says what happens then. PreRoll= "
        + "comes on top, since its pictures come all at once."),
    ConfigurationKey(
      "Recording", "QueueBytes", .size(\.recording.queueBytes, 1 << 20...1 << 34),
      "The most memory that one camera's pictures take while they wait for the disk; a single picture may wait however "
        + "large it is. With PreRoll= it is more, by the share of PreRoll= in QueueLength=. Where it or QueueLength= is "
        + "reached, a new picture is dropped and those that wait are kept. Each one is counted as a loss (queueOverflow), "
        + "with its time, in the take, and monitors and the journal are told; the clip goes on with the next picture for "
        + "which there is room, and in a new clip after more than 1s. The pictures that are just being written are not "
        + "counted here: they take as much again at most."),
    ConfigurationKey(
      "Recording", "FragmentLength", .span(\.recording.fragmentLength, .milliseconds(100)...(.seconds(1))),
      "The unit of safety: a power cut costs at most the fragment that was being filled and what the disk had not "
        + "yet confirmed."),
    ConfigurationKey(
      "Recording", "Encoder", .choice(\.recording.encoder),
      "What encodes the pictures of cameras that deliver raw ones. With auto a hardware encoder is taken where one "
        + "works, else libx264; libx264 also stands in for a hardware encoder that is named here and does not work. "
        + "With mjpeg each picture becomes a JPEG, and so it does where no encoder for H.264 works. "
        + "Cameras that deliver MJPEG or H.264 are recorded as they are."),
    ConfigurationKey(
      "Recording", "EncoderQuality", .count(\.recording.encoderQuality, 0...51),
      "The constant rate factor of the encoder: smaller is better and larger in bytes."),
    ConfigurationKey(
      "Recording", "Sound", .choice(\.recording.sound),
      "How microphones are recorded into the clips of their cameras. With auto the sound of a .mov is PCM (16 bits, "
        + "48 kHz) and that of an .mp4 is AAC; pcm and aac say it for both (PCM in .mp4 is not played everywhere). "
        + "With none no microphone is recorded."),
  ]

  static let cameraKeys = [
    ConfigurationKey(
      "Cameras", "IdleTimeout", .span(\.cameras.idleTimeout, .zero...(.seconds(86400))),
      "A camera that nobody watches or records is closed after this time."),
    ConfigurationKey(
      "Cameras", "KeepOpen", .toggle(\.cameras.keepOpen),
      "Keeps all cameras open, so that a take may begin before Record was pressed. It costs power and USB bandwidth."),
    ConfigurationKey(
      "Cameras", "AllowSmallerFormats", .toggle(\.cameras.allowSmallerFormats),
      "Where the USB bus has no bandwidth left for a camera's format, or its cameras stall again and again, the next "
        + "smaller one is tried. What was granted is reported in any case."),
    ConfigurationKey(
      "Cameras", "DefaultSize", .pictureSize(\.cameras.defaultSize),
      "The size of picture that is aimed at: the largest one offered that is not above it."),
    ConfigurationKey(
      "Cameras", "DefaultRate", .rate(\.cameras.defaultRate), "The frame rate that is aimed at, per second."),
    ConfigurationKey(
      "Cameras", "Buffers", .count(\.cameras.buffers, 4...32),
      "So many buffers the driver of each camera is asked for."),
  ]

  static let controlKeys = [
    ConfigurationKey(
      "Control", "Socket", .path(\.control.socket, longest: 107),
      "The path of the control socket. Empty: control.sock in the runtime directory (/run/camrig)."),
    ConfigurationKey(
      "Control", "Group",
      .text(\.control.group, allowed: "the name of a group") { name in
        name.utf8.count <= 32
          && name.utf8.allSatisfy { byte in
            (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
              || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
          }
      },
      "Root and the members of this group may operate the rig through the socket."),
  ]

  static let networkKeys = [
    ConfigurationKey(
      "Network", "Listen", .text(\.network.listen, allowed: places, areListenPlaces),
      "Where the rig is reached by HTTPS. A port that is taken is named in the status, and the rig goes on without it."),
    ConfigurationKey(
      "Network", "PlainListen", .text(\.network.plainListen, allowed: places, areListenPlaces),
      "Where it is reached by plain HTTP: everybody on the way can read along and take over. For 127.0.0.1 behind a "
        + "proxy of your own."),
    ConfigurationKey(
      "Network", "Announce", .toggle(\.network.announce),
      "Programs in the same network find the rig by themselves (mDNS, DNS-SD: _camrig._tcp and _https._tcp), by way of "
        + "avahi-daemon. It is not announced where it listens on this machine only."),
    ConfigurationKey(
      "Network", "AllowedHosts",
      .text(\.network.allowedHosts, allowed: "names separated by spaces") { text in
        text.utf8.count <= 1000
          && text.utf8.allSatisfy { byte in
            (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
              || " -._".utf8.contains(byte)
          }
      },
      "Names beside its own under which the rig is reached: of a router, a VPN, a proxy. Requests to any other name are "
        + "refused, since a foreign page could make a browser send them. Those "
        + "of the own network (.local, .lan, .home.arpa, …) stand in the rig's certificate, too; for one of the whole world "
        + "give the rig a Certificate= of yours, or browsers warn."),
    ConfigurationKey(
      "Network", "Certificate", .path(\.network.certificate),
      "A certificate of your own (PEM, with the chain behind it). Empty: the rig makes one."),
    ConfigurationKey(
      "Network", "CertificateKey", .path(\.network.certificateKey),
      "Its private key (PEM). The service's user must be able to read both."),
  ]

  private static let places = "addresses such as *:8470, 192.0.2.7:8470 or [::1]:8470 separated by spaces, or none"

  private static func areListenPlaces(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    guard text != "none" else { return true }
    return !words.isEmpty && words.count <= 16
      && words.allSatisfy { word in
        let port = word.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
        return UInt16(port) != nil
      }
  }

  static let torchKeys = [
    ConfigurationKey(
      "Torch", "Lights",
      .text(\.torch.lights, allowed: "lights such as key=led:white:torch or fill=gpio:gpiochip0/17!@CAMERA") { text in
        text.utf8.count <= 2000
          && text.split(separator: " ").allSatisfy { $0.contains("=led:") || $0.contains("=gpio:") }
      },
      "Lights that monitors switch on and off, separated by spaces. Each is a name, and where it is switched: led: and the "
        + "name of a folder in /sys/class/leds, or gpio: with a chip and a line, with ! behind it where low is on. A light "
        + "that belongs to one camera has @ and the camera's ID behind it. A change counts at "
        + "systemctl reload camrig."),
    ConfigurationKey(
      "Torch", "Find", .toggle(\.torch.find),
      "Takes LEDs that the kernel calls torch or flash, too. One whose device is a camera's belongs to that camera."),
    ConfigurationKey(
      "Torch", "Tally",
      .text(\.torch.tally, allowed: "a place such as led:ACT or gpio:gpiochip0/27, or empty") { text in
        text.isEmpty || (text.utf8.count <= 200 && (text.hasPrefix("led:") || text.hasPrefix("gpio:")))
      },
      "A light that is on while a take is being recorded."),
    ConfigurationKey(
      "Torch", "TimeLimit", .span(\.torch.timeLimit, .zero...(.seconds(86400))),
      "A torch that nobody has touched for so long is switched off: some get hot. 0: never."),
  ]

  static let logKeys = [
    ConfigurationKey(
      "Log", "Level", .choice(\.log.level), "Lines of this weight and of greater weight go to the journal.")
  ]
}
