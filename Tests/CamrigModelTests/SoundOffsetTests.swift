import CamrigModel
import Testing

@Suite("How late sound is put beside the pictures")
struct SoundOffsetTests {
  @Test(
    "a track is late by what its microphone and its camera are together, either way, and never by more than is allowed",
    arguments: [
      (0, 0, 0), (40, 0, 40), (0, 120, 120), (40, 120, 160), (-40, 120, 80), (-40, -60, -100),
      (2000, 2000, 2000), (-1500, -1500, -2000), (2000, -2000, 0),
      // As somebody may have written them into the file of settings.
      (Int.max, Int.max, 2000), (Int.min, Int.min, -2000), (Int.max, -500, 1500),
    ])
  func ofTrack(microphone: Int, camera: Int, together: Int) {
    #expect(SoundOffset.ofTrack(microphone: microphone, camera: camera) == .milliseconds(together))
  }

  @Test(
    "two seconds either way are allowed, and what is more is named",
    arguments: [(0, true), (2000, true), (-2000, true), (2001, false), (-2001, false), (Int.min, false)])
  func limits(milliseconds: Int, isAllowed: Bool) {
    #expect(SoundOffset.isAllowed(milliseconds) == isAllowed)
    #expect(SoundOffset.refusal(milliseconds) == "\(milliseconds) ms is no offset. It is at most 2000 ms either way.")
  }
}
