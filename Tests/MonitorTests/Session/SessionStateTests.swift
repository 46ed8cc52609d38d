import CamrigModel
import Monitor
import Testing

@Suite("What a monitor has selected")
struct SessionStateTests {
  private let left = CameraID("left")
  private let right = CameraID("right")
  private var state = SessionState()

  /// Selects `camera` to the end.
  private mutating func select(_ camera: CameraID) {
    let (generation, _) = state.ask()
    _ = state.found(camera, generation: generation)
    _ = state.pictureArrived(generation: generation)
  }

  @Test("a switch counts when the first picture has arrived, and not before")
  mutating func firstPicture() {
    select(left)
    let (generation, asked) = state.ask()
    #expect(asked == [.wait(.seconds(10), generation: generation)])
    let opening = state.found(right, generation: generation)
    #expect(opening == [.hold(right, generation: generation), .wait(.seconds(4), generation: generation + 1), .tell])
    #expect(state.selected == left && state.switching == right)
    #expect(
      state.pictureArrived(generation: generation)
        == [.release(left), .answer(generation: generation, .selected(right)), .tell])
    #expect(state.selected == right && state.switching == nil)
  }

  @Test("a camera that stays dark is let go after 4 s, and the one before stays selected")
  mutating func fallback() {
    select(left)
    let (generation, _) = state.ask()
    _ = state.found(right, generation: generation)
    #expect(
      state.timeIsOver(generation: generation + 1)
        == [.release(right), .answer(generation: generation, .silent(right)), .tell])
    #expect(state.selected == left && state.switching == nil)
    // Its picture comes too late.
    #expect(state.pictureArrived(generation: generation) == [])
  }

  @Test("a rig that does not say which camera is meant is waited for 10 s")
  mutating func askedInVain() {
    let (generation, _) = state.ask()
    #expect(state.timeIsOver(generation: generation) == [.answer(generation: generation, .timedOut)])
    #expect(state.found(left, generation: generation) == [])
  }

  @Test("a late timer of an older request does nothing")
  mutating func lateTimers() {
    let (first, _) = state.ask()
    _ = state.found(left, generation: first)
    // The rig has answered: the limit for that is of no account any more.
    #expect(state.timeIsOver(generation: first) == [])
    _ = state.pictureArrived(generation: first)
    #expect(state.timeIsOver(generation: first + 1) == [])
    let (second, _) = state.ask()
    _ = state.found(right, generation: second)
    #expect(state.timeIsOver(generation: first) == [] && state.timeIsOver(generation: first + 1) == [])
    #expect(state.switching == right)
  }

  @Test("the newest wish counts: the one before is answered at once, and its camera is let go")
  mutating func overtaken() {
    let (first, _) = state.ask()
    _ = state.found(left, generation: first)
    let (second, steps) = state.ask()
    #expect(
      steps == [
        .release(left), .answer(generation: first, .overtaken), .tell, .wait(.seconds(10), generation: second),
      ])
    #expect(state.pictureArrived(generation: first) == [])
    let (third, again) = state.ask()
    #expect(again == [.answer(generation: second, .overtaken), .wait(.seconds(10), generation: third)])
    #expect(state.found(left, generation: second) == [])
  }

  @Test("the same camera once more is opened once more, and let go once")
  mutating func sameAgain() {
    select(left)
    let (generation, _) = state.ask()
    #expect(state.found(left, generation: generation).first == .hold(left, generation: generation))
    #expect(state.pictureArrived(generation: generation).first == .release(left))
    #expect(state.end() == [.release(left)])
  }

  @Test("a camera that is forgotten is selected no more; a switch to it is answered")
  mutating func forgotten() {
    select(left)
    let (generation, _) = state.ask()
    _ = state.found(right, generation: generation)
    #expect(state.gone(right) == [.release(right), .answer(generation: generation, .gone(right)), .tell])
    #expect(state.gone(left) == [.release(left), .tell])
    #expect(state.gone(left) == [] && state.selected == nil)
  }

  @Test("a refused wish leaves all as it was")
  mutating func refused() {
    select(left)
    let (generation, _) = state.ask()
    state.refused(generation: generation)
    #expect(state.timeIsOver(generation: generation) == [] && state.selected == left)
  }

  @Test("who selects none lets go of what was selected, and of what was to be")
  mutating func none() {
    select(left)
    let (generation, _) = state.ask()
    _ = state.found(right, generation: generation)
    #expect(
      state.clear() == [.release(right), .answer(generation: generation, .overtaken), .tell, .release(left), .tell])
    #expect(state.clear() == [])
  }

  @Test("a monitor that leaves lets go of everything, and nothing is opened for it any more")
  mutating func left_() {
    select(left)
    let (generation, _) = state.ask()
    _ = state.found(right, generation: generation)
    #expect(state.end() == [.release(right), .answer(generation: generation, .overtaken), .release(left)])
    #expect(state.pictureArrived(generation: generation) == [] && state.selected == nil)
    let (late, steps) = state.ask()
    #expect(steps == [.answer(generation: late, .overtaken)])
    #expect(state.found(left, generation: late) == [])
  }
}
