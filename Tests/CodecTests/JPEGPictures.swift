import CTurboJPEG
import CamrigModel
import Codec
import Frames

/// What is in a JPEG, by libturbojpeg itself.
enum JPEGPictures {
  /// The quantised coefficients of each component, and how they lie.
  struct Coefficients: Equatable {
    var values: [[Int16]] = []
    var sizes: [[Int32]] = []
  }

  static func coefficients(_ jpeg: [UInt8]) -> Coefficients {
    var found = Coefficients()
    withUnsafeMutablePointer(to: &found) { found in
      var transform = tjtransform()
      transform.op = Int32(TJXOP_NONE.rawValue)
      transform.options = TJXOPT_NOOUTPUT
      transform.data = UnsafeMutableRawPointer(found)
      transform.customFilter = { values, array, _, component, _, transform in
        guard let values, let data = transform?.pointee.data else { return -1 }
        let found = data.assumingMemoryBound(to: Coefficients.self)
        let index = Int(component)
        while found.pointee.values.count <= index {
          found.pointee.values.append([])
          found.pointee.sizes.append([])
        }
        found.pointee.values[index] += UnsafeBufferPointer(start: values, count: Int(array.w * array.h))
        found.pointee.sizes[index] = [array.w]
        return 0
      }
      let handle = tjInitTransform()
      defer { tjDestroy(handle) }
      var target: UnsafeMutablePointer<UInt8>?
      var count: UInt = 0
      let result = tjTransform(handle, jpeg, UInt(jpeg.count), 1, &target, &count, &transform, 0)
      precondition(result == 0, "libturbojpeg reads a picture: \(String(cString: tjGetErrorStr2(handle)))")
      tjFree(target)
    }
    return found
  }

  struct Plane: Equatable {
    var width: Int
    var height: Int
    var bytes: [UInt8]

    /// The same with `columns` from the left and `rows` from the top.
    func cropped(_ columns: Range<Int>, _ rows: Range<Int>) -> Plane {
      make(columns.count, rows.count) { (columns.lowerBound + $0, rows.lowerBound + $1) }
    }
    var mirrored: Plane { make(width, height) { (width - 1 - $0, $1) } }
    /// By a quarter clockwise.
    var rotated: Plane { make(height, width) { ($1, height - 1 - $0) } }

    func turned(_ setting: PictureSetting) -> Plane {
      var plane = self
      for _ in 0..<(setting.rotation.rawValue / 90) { plane = plane.rotated }
      return setting.mirror ? plane.mirrored : plane
    }

    /// The largest difference of two samples; 256 for planes of different sizes.
    func difference(_ other: Plane) -> Int {
      guard width == other.width, height == other.height else { return 256 }
      return zip(bytes, other.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    private func make(_ width: Int, _ height: Int, _ source: (Int, Int) -> (Int, Int)) -> Plane {
      var result = Plane(width: width, height: height, bytes: [])
      for y in 0..<height {
        for x in 0..<width {
          let (sourceX, sourceY) = source(x, y)
          result.bytes.append(bytes[sourceY * self.width + sourceX])
        }
      }
      return result
    }
  }

  /// Decoded by the exact transform, with nothing scaled.
  static func planes(_ jpeg: [UInt8]) -> (size: PixelSize, sampling: TJSAMP, planes: [Plane]) {
    let handle = tjInitDecompress()
    defer { tjDestroy(handle) }
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let header = tjDecompressHeader3(handle, jpeg, UInt(jpeg.count), &width, &height, &sampling, &space)
    precondition(header == 0, "libturbojpeg reads a header")
    let components: Range<Int32> = 0..<(sampling == Int32(TJSAMP_GRAY.rawValue) ? 1 : 3)
    var planes = components.map { component in
      let size = (Int(tjPlaneWidth(component, width, sampling)), Int(tjPlaneHeight(component, height, sampling)))
      return Plane(width: size.0, height: size.1, bytes: [UInt8](repeating: 0, count: size.0 * size.1))
    }
    let memory = planes.map { UnsafeMutablePointer<UInt8>.allocate(capacity: $0.bytes.count) }
    defer { memory.forEach { $0.deallocate() } }
    var targets: [UnsafeMutablePointer<UInt8>?] = memory
    let result = tjDecompressToYUVPlanes(
      handle, jpeg, UInt(jpeg.count), &targets, width, nil, height, TJFLAG_ACCURATEDCT)
    precondition(result == 0, "libturbojpeg decodes a picture")
    for (index, start) in memory.enumerated() {
      planes[index].bytes = Array(UnsafeBufferPointer(start: start, count: planes[index].bytes.count))
    }
    return (PixelSize(width: Int(width), height: Int(height)), TJSAMP(rawValue: UInt32(sampling)), planes)
  }

  static func frame(_ jpeg: [UInt8], _ size: PixelSize, sequence: UInt64 = 7) -> Frame {
    let pool = FramePool()
    return Frame(
      jpeg.withUnsafeBytes { pool.buffer(copying: $0) }, format: .mjpeg, size: size,
      presentationTime: MediaTime(nanoseconds: 99), run: 3, sequence: sequence, isKeyframe: true)
  }

  static func turned(_ jpeg: [UInt8], _ setting: PictureSetting) throws -> [UInt8] {
    let size = planes(jpeg).size
    let frame = frame(jpeg, size)
    guard let turner = try pictureTurner(setting, .mjpeg) else { return jpeg }
    let format = try turner.format(of: frame)
    let result = try turner.turn(frame)
    precondition(
      result.size == format.size && result.run == 3 && result.sequence == 7
        && result.presentationTime.nanoseconds == 99,
      "a turned picture has the size that was told, and the number and time that it had")
    return result.withBytes { Array($0) }
  }
}

extension PictureSetting {
  init(_ rotation: Rotation, mirror: Bool = false, zoom: Double = 1, x: Double = 0.5, y: Double = 0.5) {
    self.init()
    (self.rotation, self.mirror, self.zoom, self.x, self.y) = (rotation, mirror, zoom, x, y)
  }

  /// All eight ways to see a picture.
  static let turns: [PictureSetting] = Rotation.allCases.flatMap {
    [PictureSetting($0), PictureSetting($0, mirror: true)]
  }
}
