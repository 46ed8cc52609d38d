import CamrigModel
import Recording
import Testing

@Suite("The note of a fragment")
struct FragmentNoteTests {
  private var note: FragmentNote {
    var note = FragmentNote()
    for sequence in [7, 8, 10, 11] as [UInt64] { note.wrote(run: 2, sequence: sequence) }
    note.wrote(run: 3, sequence: 0)
    for sequence in [9, 12, 13] as [UInt64] {
      note.lost(
        Loss(
          cause: .driverGap, run: 2, firstSequence: sequence, count: 1,
          time: MediaTime(nanoseconds: 5_000_000_000)))
    }
    return note
  }

  @Test("comes back as it was written, pictures in a row as one span")
  func roundTrip() {
    #expect(note.written.map(\.count) == [2, 2, 1])
    #expect(note.lost.map(\.count) == [1, 2])
    #expect(FragmentNote(note.bytes) == note)
    #expect(FragmentNote(FragmentNote().bytes) == FragmentNote())
  }

  @Test("keeps every cause of loss")
  func causes() {
    var note = FragmentNote()
    for cause in LossCause.allCases {
      note.lost(Loss(cause: cause, run: 1, firstSequence: .max, count: 9, time: MediaTime(nanoseconds: -1)))
    }
    #expect(FragmentNote(note.bytes)?.lost.map(\.cause) == LossCause.allCases)
  }

  @Test("is refused when it is cut, too long, or not one")
  func broken() {
    let bytes = note.bytes
    for count in 0..<bytes.count { #expect(FragmentNote(bytes.prefix(count)) == nil) }
    #expect(FragmentNote(bytes + [0]) == nil)
    var huge = bytes
    for index in 4..<8 { huge[index] = 0xff }
    #expect(FragmentNote(huge) == nil)
    #expect(FragmentNote([UInt8]("{\"frames\":3}".utf8)) == nil)
  }

  @Test("has the bytes that the documentation tells")
  func layout() {
    var note = FragmentNote()
    note.wrote(run: 1, sequence: 258)
    #expect(
      note.bytes == [
        0x63, 0x61, 0x6d, 0x31, 1, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      ])
  }
}
