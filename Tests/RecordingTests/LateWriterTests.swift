import Recording
import Testing

@Suite("A writer that Stop has waited for in vain")
struct LateWriterTests {
  private func late(_ silent: Duration?) -> LateWriter {
    LateWriter(camera: "Left", directory: "/media", limit: .seconds(10), volumeSilent: silent)
  }

  @Test("is the volume's doing where the volume has owed an answer for most of the time")
  func volume() {
    #expect(late(.seconds(5)).isOfVolume && late(.seconds(60)).isOfVolume)
    #expect(
      late(.seconds(9)).message == "The volume of /media does not answer: Left's clip is left as it is, playable up to "
        + "its last whole second, and finished at the next start.")
  }

  @Test("is the machine's where the volume owes none, or has only just been asked", arguments: [nil, 0, 4] as [Int?])
  func machine(seconds: Int?) {
    let late = late(seconds.map { .seconds($0) })
    #expect(!late.isOfVolume)
    #expect(
      late.message == "Left's clip was not finished within 10 s although the volume of /media answers: this machine "
        + "has too much to do. See top. The clip is left as it is, playable up to its last whole second, and finished "
        + "at the next start.")
  }
}
