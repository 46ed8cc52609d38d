import CamrigModel
import Glibc

/// How much x264 tries, by what the machine can do in time.
package enum X264Preset: String, Sendable {
  case veryfast
  case ultrafast

  package static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// `veryfast` where each core gets at most 8 million pixels a second, such as 720p30 on four cores.
  ///
  /// Measured with a noisy 1080p picture: one core of an x86 server does 33 million a second with `veryfast` and 130 with
  /// `ultrafast`. A quarter leaves room for slower cores and for more cameras.
  package init(_ format: VideoFormat, cores: Int = X264Preset.cores) {
    let pixels = Double(format.size.area) * (format.rate?.perSecond ?? 30)
    self = pixels / Double(cores) <= 8_000_000 ? .veryfast : .ultrafast
  }
}
