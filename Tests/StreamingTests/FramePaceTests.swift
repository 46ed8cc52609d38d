import CamrigModel
import Streaming
import Testing

@Suite("The pace of a preview")
struct FramePaceTests {
  /// Indices of what is shown of pictures at these times in milliseconds.
  private func shown(_ rate: FrameRate?, _ times: [Int]) -> [Int] {
    var pace = FramePace(rate)
    return times.indices.filter { pace.shows(MediaTime(seconds: 50, microseconds: Int64(times[$0]) * 1000)) }
  }

  private func thirtieths(_ count: Int, jitter: [Int] = [0]) -> [Int] {
    (0..<count).map { $0 * 1000 / 30 + jitter[$0 % jitter.count] }
  }

  @Test("without a rate all are shown, and so they are if the camera is not faster")
  func all() {
    #expect(shown(nil, thirtieths(20)) == Array(0..<20))
    #expect(shown(FrameRate(30), thirtieths(20)) == Array(0..<20))
    #expect(shown(FrameRate(60), thirtieths(20)) == Array(0..<20))
    #expect(shown(FrameRate(30), thirtieths(20, jitter: [0, 6, -6, 3])) == Array(0..<20))
  }

  @Test("of a faster camera every second, third … is shown, though its times are unsteady", arguments: [2, 3, 5, 30])
  func divides(step: Int) {
    let expected = Array(stride(from: 0, to: 120, by: step))
    #expect(shown(FrameRate(30, step), thirtieths(120)) == expected)
    #expect(shown(FrameRate(30, step), thirtieths(120, jitter: [0, 7, -7, 5, -2, 3])) == expected)
  }

  @Test(
    "a rate that does not divide the camera's is met on average, and no pause is longer than needed",
    arguments: [
      7, 10, 12, 20, 25, 29,
    ])
  func meets(rate: Int) {
    let indices = shown(FrameRate(rate), thirtieths(30 * 20))
    #expect(abs(indices.count - rate * 20) <= 1)
    let steps = zip(indices.dropFirst(), indices).map { $0 - $1 }
    #expect((steps.max() ?? 0) - (steps.min() ?? 0) <= 1)
  }

  @Test("after a pause it goes on from there and makes up for nothing")
  func pause() {
    #expect(shown(FrameRate(10), [0, 33, 66, 100, 5000, 5033, 5066, 5100, 5133]) == [0, 3, 4, 7])
  }

  @Test("times that begin anew do not stop it")
  func restart() {
    #expect(shown(FrameRate(10), [9000, 9100, 0, 33, 66, 100]) == [0, 1, 2, 5])
  }

  @Test("another rate begins with the next picture")
  func change() {
    var pace = FramePace(FrameRate(1))
    var shown: [Bool] = []
    for index in 0..<5 {
      if index == 2 { pace.setRate(FrameRate(1)) }
      if index == 3 { pace.setRate(FrameRate(5)) }
      shown.append(pace.shows(MediaTime(seconds: 50, microseconds: Int64(index) * 33_333)))
    }
    #expect(shown == [true, false, false, true, false])
  }
}
