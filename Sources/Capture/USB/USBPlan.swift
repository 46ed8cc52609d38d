import CamrigModel

/// Which cameras fit on their buses together, taken in the order in which they are asked for.
package struct USBPlan: Hashable, Sendable {
  package struct Stream: Hashable, Sendable {
    package var camera: CameraID
    package var name: String
    /// Number of the bus, as in `lsusb`.
    package var bus: Int
    package var link: USBVideoLink
    package var speed: USBBus
    package var format: VideoFormat?
    /// Bytes per interval that it has reserved, where it streams in just this format.
    package var reserved: Int?
    /// `046d:0825`
    package var model: String

    package init(
      camera: CameraID, name: String, bus: Int, link: USBVideoLink, speed: USBBus, format: VideoFormat?,
      reserved: Int? = nil, model: String = ""
    ) {
      self.camera = camera
      self.name = name
      self.bus = bus
      self.link = link
      self.speed = speed
      self.format = format
      self.reserved = reserved
      self.model = model
    }

    package var claim: Int {
      if let reserved { return reserved }
      guard let format else { return link.settings.values.max() ?? 0 }
      return link.claim(
        bytesPerSecond: Double(Self.pictureBytes(format)) * (format.rate ?? FrameRate(30)).perSecond,
        intervalsPerSecond: speed.intervalsPerSecond)
    }

    package var share: Double { speed.share(bytesPerInterval: claim) }

    /// What cameras announce as their largest picture; for compressed ones mostly two bytes a pixel as well.
    private static func pictureBytes(_ format: VideoFormat) -> Int {
      format.pixelFormat.isCompressed ? format.size.area * 2 : format.rawByteCount
    }

    /// A compressed stream for which the camera takes all that it can have.
    var isGreedy: Bool {
      format?.pixelFormat.isCompressed == true && link.settings.count > 1 && claim == link.settings.values.max()
    }
  }

  package let answer: USBPlanAnswer

  package init(_ streams: [Stream]) {
    var buses: [Int: [Stream]] = [:]
    for stream in streams { buses[stream.bus, default: []].append(stream) }
    answer = USBPlanAnswer(buses: buses.sorted { $0.key < $1.key }.map { Self.plan($0.key, $0.value) })
  }

  private static func plan(_ number: Int, _ streams: [Stream]) -> USBBusPlan {
    var used = 0.0
    let cameras = streams.map { stream in
      let fits = used + stream.share <= 1
      if fits { used += stream.share }
      return USBCameraPlan(
        camera: stream.camera, name: stream.name, format: stream.format, bytesPerInterval: stream.claim,
        percent: percent(stream.share), isMeasured: stream.reserved != nil, fits: fits)
    }
    let speed = streams.map(\.speed.megabits).max() ?? 480
    let all = streams.reduce(0) { $0 + $1.share }
    return USBBusPlan(
      bus: number, megabits: speed, cameras: cameras, percent: percent(all), fits: all <= 1,
      advice: all <= 1 ? [] : advice(streams))
  }

  private static func advice(_ streams: [Stream]) -> [String] {
    var advice = [
      "Choose a smaller size or rate for one of them (camrigctl camera set), or move one to a socket of another USB bus."
    ]
    for stream in streams where stream.isGreedy {
      advice.append(
        "\(stream.name) reserves the most that it can, although its pictures are compressed; a smaller size or rate may "
          + "make it ask for less.")
    }
    for stream in streams where stream.format?.pixelFormat.isCompressed == false && !stream.model.isEmpty {
      advice.append(
        "\(stream.name) sends raw pictures: --format mjpeg takes less where it has that. If it reserves more than it "
          + "sends, the option quirks=128 (FIX_BANDWIDTH) of the module uvcvideo helps some cameras; its model is "
          + "\(stream.model).")
    }
    return advice
  }

  private static func percent(_ share: Double) -> Int { Int((share * 100).rounded(.up)) }
}
