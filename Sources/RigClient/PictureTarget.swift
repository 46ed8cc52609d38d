import HTTP

/// Which picture is wanted, as the rig's `/snapshot` and `/stream` are asked.
package struct PictureTarget: Hashable, Sendable {
  package var camera: String?
  package var longEdge: Int?
  package var rate: String?
  package var quality: Int?

  package init() {}

  package var snapshot: String { "/snapshot" + query }
  package var stream: String { "/stream" + query }

  private var query: String {
    let fields = [
      camera.map { "camera=" + PercentEncoding.encode($0) }, longEdge.map { "longEdge=\($0)" },
      rate.map { "rate=" + PercentEncoding.encode($0) }, quality.map { "quality=\($0)" },
    ].compactMap { $0 }
    return fields.isEmpty ? "" : "?" + fields.joined(separator: "&")
  }
}
