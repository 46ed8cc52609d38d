import CamrigModel
import Movie
import MovieSupport
import TestSupport
import Testing

@Suite("Mutated clips")
struct MutationTests {
  private let directory = TemporaryDirectory()

  @Test("no change of bytes crashes the reader or repair, or makes repair take bytes away", arguments: 0..<4)
  func mutations(seed: Int) throws {
    var random = SeededRandom(UInt64(seed) + 100)
    let path = "\(directory.path)/clip"
    let whole = try small(finished: seed % 2 == 0)
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) { mutate(&bytes, &random) }
      FileBytes.write(bytes, to: path)
      _ = try MovieReader.read(path, depth: .index)
      let before = try MovieReader.read(path)
      _ = try MovieRepair.repair(path)
      let again = FileBytes.read(path)
      #expect(again.count >= bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)
      let second = try MovieRepair.repair(path)
      #expect(FileBytes.read(path) == again)
      if case .repaired = second { Issue.record("repaired twice") }
      let after = try MovieReader.read(path)
      #expect(after.fragments.filter(\.checksumHolds).count >= before.fragments.filter(\.checksumHolds).count)
    }
  }

  private func small(finished: Bool) throws -> [UInt8] {
    let path = "\(directory.path)/small"
    try SmallClip.make(at: path, fragments: 12, finished: finished)
    return FileBytes.read(path)
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let length = min(Int.random(in: 1...200, using: &random), bytes.count - place)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
    case 1: bytes[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random)!
    case 2:
      // A number of four bytes at its edges.
      let value = [0, 1, 7, 8, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff].randomElement(using: &random)! as UInt32
      for byte in 0..<min(4, bytes.count - place) {
        bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(byte)))
      }
    case 3: bytes.replaceSubrange(place..<place + length, with: repeatElement(0, count: length))
    case 4: bytes.removeSubrange(place..<place + length)
    case 5: bytes.insert(contentsOf: Array(bytes[place..<place + length]), at: place)
    case 6: bytes.removeSubrange(place...)
    default:
      let other = Int.random(in: 0..<bytes.count - length + 1, using: &random)
      bytes.replaceSubrange(other..<other + length, with: Array(bytes[place..<place + length]))
    }
  }
}
