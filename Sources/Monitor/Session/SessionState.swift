import CamrigModel

/// What a monitor has selected, and the switch that is under way. A switch counts when the camera's first picture has
/// arrived; until then, and if none comes, the camera before stays selected.
package struct SessionState: Sendable {
  /// How long the rig may take to say which camera is meant.
  package static let requestLimit = Duration.seconds(10)
  /// How long a camera has for its first picture.
  package static let pictureLimit = Duration.seconds(4)

  package enum Step: Hashable, Sendable {
    /// Open it, keep it open, and tell of its next picture with this generation.
    case hold(CameraID, generation: Int)
    case release(CameraID)
    /// Tell with this generation when the time is over.
    case wait(Duration, generation: Int)
    case answer(generation: Int, Outcome)
    /// What is selected, or being selected, has changed.
    case tell
  }

  package enum Outcome: Hashable, Sendable {
    case selected(CameraID)
    /// No picture came in time.
    case silent(CameraID)
    /// The rig did not say in time which camera is meant.
    case timedOut
    /// The monitor wished for another one meanwhile, or left.
    case overtaken
    /// It was forgotten meanwhile.
    case gone(CameraID)
  }

  private enum Switch: Hashable {
    case none
    case asking(Int)
    case opening(CameraID, Int)
  }

  package private(set) var selected: CameraID?
  private var change = Switch.none
  /// Of the newest request; what comes with another one comes too late.
  private var generation = 0
  private var isOver = false

  package init() {}

  package var switching: CameraID? { if case .opening(let camera, _) = change { camera } else { nil } }

  /// A wish has come. The generation it has from now on.
  package mutating func ask() -> (generation: Int, steps: [Step]) {
    var steps = giveUp(.overtaken)
    generation += 1
    guard !isOver else { return (generation, steps + [.answer(generation: generation, .overtaken)]) }
    change = .asking(generation)
    steps.append(.wait(Self.requestLimit, generation: generation))
    return (generation, steps)
  }

  /// The rig has said which camera the wish means.
  package mutating func found(_ camera: CameraID, generation: Int) -> [Step] {
    guard change == .asking(generation) else { return [] }
    // Its second limit is one of its own, so the timer of the first comes too late.
    self.generation += 1
    change = .opening(camera, generation)
    return [.hold(camera, generation: generation), .wait(Self.pictureLimit, generation: self.generation), .tell]
  }

  /// The rig has refused the wish; who asked has been told.
  package mutating func refused(generation: Int) {
    if change == .asking(generation) { change = .none }
  }

  package mutating func pictureArrived(generation: Int) -> [Step] {
    guard case .opening(let camera, generation) = change else { return [] }
    change = .none
    // Held once for each switch: of the same camera one hold is too many.
    let former = selected.map { [Step.release($0)] } ?? []
    selected = camera
    return former + [.answer(generation: generation, .selected(camera)), .tell]
  }

  package mutating func timeIsOver(generation: Int) -> [Step] {
    switch change {
    case .asking(generation):
      change = .none
      return [.answer(generation: generation, .timedOut)]
    case .opening(let camera, let wish) where self.generation == generation:
      change = .none
      return [.release(camera), .answer(generation: wish, .silent(camera)), .tell]
    case .none, .asking, .opening: return []
    }
  }

  /// The camera was forgotten, or another one took it over.
  package mutating func gone(_ camera: CameraID) -> [Step] {
    var steps: [Step] = []
    if switching == camera { steps += giveUp(.gone(camera)) }
    if selected == camera {
      selected = nil
      steps += [.release(camera), .tell]
    }
    return steps
  }

  /// None shall be selected any more.
  package mutating func clear() -> [Step] {
    var steps = giveUp(.overtaken)
    if let selected { steps += [.release(selected), .tell] }
    selected = nil
    return steps
  }

  /// The monitor has left. Nothing is held any more.
  package mutating func end() -> [Step] {
    isOver = true
    var steps = giveUp(.overtaken).filter { $0 != .tell }
    if let selected { steps.append(.release(selected)) }
    selected = nil
    return steps
  }

  private mutating func giveUp(_ outcome: Outcome) -> [Step] {
    defer { change = .none }
    return switch change {
    case .none: []
    case .asking(let generation): [.answer(generation: generation, outcome)]
    case .opening(let camera, let generation):
      [.release(camera), .answer(generation: generation, outcome), .tell]
    }
  }
}
