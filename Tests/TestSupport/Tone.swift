import Glibc

/// What a test tone is and how clean it has stayed.
package enum Tone {
  /// Of a phase in turns.
  package static func sine(_ turns: Double) -> Float { Float(sin(2 * Double.pi * turns)) }

  /// The strongest part of `samples` beside the tone of the nearest `frequency`, in dB below the tone: by a discrete
  /// Fourier transform under a window whose own side lobes are 92 dB down.
  package static func impurity(
    _ samples: [Float], rate: Int, guardHertz: Double = 60
  ) -> (frequency: Double, decibels: Double) {
    let count = samples.count
    precondition(count & (count - 1) == 0, "a power of two")
    var real = [Double](repeating: 0, count: count)
    var imaginary = real
    for (place, sample) in samples.enumerated() {
      let turn = 2 * Double.pi * Double(place) / Double(count)
      let window = 0.35875 - 0.48829 * cos(turn) + 0.14128 * cos(2 * turn) - 0.01168 * cos(3 * turn)
      real[place] = Double(sample) * window
    }
    transform(&real, &imaginary)
    let power = (0..<count / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
    let peak = power.indices.max { power[$0] < power[$1] }!
    let width = Double(rate) / Double(count)
    let guardBins = Int(guardHertz / width) + 1
    let rest = power.indices.filter { abs($0 - peak) > guardBins }.map { power[$0] }.max() ?? 0
    return (Double(peak) * width, 10 * log10(rest / power[peak]))
  }

  private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    let count = real.count
    var other = 0
    for place in 1..<count {
      var bit = count >> 1
      while other & bit != 0 {
        other ^= bit
        bit >>= 1
      }
      other |= bit
      if place < other {
        real.swapAt(place, other)
        imaginary.swapAt(place, other)
      }
    }
    var length = 2
    while length <= count {
      let angle = -2 * Double.pi / Double(length)
      for part in 0..<length / 2 {
        let (c, s) = (cos(angle * Double(part)), sin(angle * Double(part)))
        for first in stride(from: part, to: count, by: length) {
          let second = first + length / 2
          let (a, b) = (real[second] * c - imaginary[second] * s, real[second] * s + imaginary[second] * c)
          real[second] = real[first] - a
          imaginary[second] = imaginary[first] - b
          real[first] += a
          imaginary[first] += b
        }
      }
      length *= 2
    }
  }
}
