import CamrigModel
import Frames
import Streaming
import Testing

@Suite("Who sees what of a camera")
struct PreviewBoardTests {
  private static let small = PreviewForm(longEdge: 640, quality: 70)
  private static let smallRendition = Rendition.made(PixelSize(width: 640, height: 360), quality: 70)
  private let camera = Pictures()

  /// Offers these pictures and gives who was told.
  private func offer(_ board: inout PreviewBoard, _ sequences: ClosedRange<UInt64>, _ camera: Pictures? = nil) -> [Int]
  {
    var told: [Int] = []
    for sequence in sequences { told += board.offer((camera ?? self.camera).frame(sequence)).ready.sorted() }
    return told
  }

  private func next(_ board: inout PreviewBoard, _ id: Int) -> String? {
    board.next(id).picture.map { "\($0.frame.sequence)+\($0.skipped)" }
  }

  /// Makes what is to be made of the newest picture.
  @discardableResult
  private func make(_ board: inout PreviewBoard) -> (renditions: Set<Rendition>, told: [Int]) {
    let renditions = board.takeWork()
    var told: [Int] = []
    for rendition in renditions {
      told += board.finish(rendition, board.newest.map { camera.frame($0.sequence) }).ready
    }
    return (renditions, told.sorted())
  }

  // MARK: As the camera sends them

  @Test("who comes sees the newest picture at once, and each one once")
  func instant() {
    var board = PreviewBoard()
    _ = offer(&board, 0...3)
    let id = board.add(PreviewForm())
    #expect(next(&board, id) == "3+0")
    #expect(next(&board, id) == nil)
  }

  @Test("a viewer is told once after it asked in vain")
  func toldOnce() {
    var board = PreviewBoard()
    let id = board.add(PreviewForm())
    #expect(offer(&board, 0...2) == [])
    #expect(next(&board, id) == "2+2")
    #expect(offer(&board, 3...3) == [])
    #expect(next(&board, id) == "3+0")
    #expect(next(&board, id) == nil)
    #expect(offer(&board, 4...9) == [id])
    #expect(next(&board, id) == "9+5")
  }

  @Test("a slow viewer gets the newest picture and is told how many it missed; a fast one misses none")
  func slow() {
    var board = PreviewBoard()
    let slow = board.add(PreviewForm())
    let fast = board.add(PreviewForm())
    for sequence in UInt64(0)...9 {
      _ = offer(&board, sequence...sequence)
      #expect(next(&board, fast) == "\(sequence)+0")
    }
    #expect(next(&board, slow) == "9+9")
  }

  @Test("pictures beyond a viewer's rate are not missed")
  func rate() {
    var board = PreviewBoard()
    let id = board.add(PreviewForm(rate: FrameRate(10)))
    var seen: [String] = []
    #expect(next(&board, id) == nil)
    for sequence in UInt64(0)...8 {
      if offer(&board, sequence...sequence) == [id] { seen.append(next(&board, id) ?? "none") }
      #expect(next(&board, id) == nil)
    }
    #expect(seen == ["0+0", "3+0", "6+0"])
    _ = offer(&board, 9...20)
    #expect(next(&board, id) == "20+3")
  }

  @Test("no picture but the newest is kept, however many look and do not ask")
  func memory() {
    var board = PreviewBoard()
    for _ in 0..<32 { _ = board.add(PreviewForm()) }
    weak var old: Frame?
    do {
      let frame = camera.frame(0)
      old = frame
      _ = board.offer(frame)
    }
    #expect(old != nil)
    _ = offer(&board, 1...1)
    #expect(old == nil)
  }

  // MARK: Made

  @Test("what several want in one form is made once, and each of them is told")
  func shared() {
    var board = PreviewBoard()
    let ids = (0..<3).map { _ in board.add(Self.small) }
    let other = board.add(PreviewForm(longEdge: 640, quality: 30))
    _ = offer(&board, 0...0)
    #expect(board.needsMaker)
    for id in ids + [other] { #expect(next(&board, id) == nil) }
    let (renditions, told) = make(&board)
    #expect(renditions == [Self.smallRendition, .made(PixelSize(width: 640, height: 360), quality: 30)])
    #expect(told == ids + [other])
    for id in ids { #expect(next(&board, id) == "0+0") }
    #expect(board.takeWork() == [])
  }

  @Test("forms that differ but give the same pictures share them")
  func sameResult() {
    var board = PreviewBoard()
    let ids = [641, 700, 799].map { board.add(PreviewForm(longEdge: $0, quality: 70)) }
    _ = offer(&board, 0...0)
    for id in ids { _ = board.next(id) }
    #expect(board.takeWork() == [Self.smallRendition])
  }

  @Test("nothing is made while nobody asks")
  func lazy() {
    var board = PreviewBoard()
    let id = board.add(Self.small)
    let steps = board.offer(camera.frame(0))
    #expect(steps == PreviewBoard.Steps())
    #expect(board.takeWork() == [])
    #expect(board.next(id).steps.isWorkThere)
    make(&board)
    // It lies there, and the viewer does not come for it.
    #expect(board.offer(camera.frame(1)) == PreviewBoard.Steps())
    #expect(board.takeWork() == [])
  }

  @Test("a viewer that comes late for what was made gets the newest instead, made then")
  func stale() {
    var board = PreviewBoard()
    let id = board.add(Self.small)
    _ = offer(&board, 0...0)
    _ = board.next(id)
    make(&board)
    _ = offer(&board, 1...60)
    let late = board.next(id)
    #expect(late.picture == nil)
    #expect(late.steps.isWorkThere)
    #expect(make(&board).told == [id])
    #expect(next(&board, id) == "60+60")
  }

  @Test("pictures that come while one is made are made after it, the newest of them once")
  func whileMaking() {
    var board = PreviewBoard()
    let id = board.add(Self.small)
    _ = offer(&board, 0...0)
    _ = board.next(id)
    #expect(board.takeWork() == [Self.smallRendition])
    _ = offer(&board, 1...3)
    #expect(board.finish(Self.smallRendition, camera.frame(0)).ready == [id])
    #expect(next(&board, id) == "0+0")
    #expect(board.next(id).steps.isWorkThere)
    #expect(make(&board).told == [id])
    #expect(next(&board, id) == "3+2")
  }

  @Test("a maker that is much slower than the camera shows what it makes")
  func slowMaker() {
    var board = PreviewBoard()
    let id = board.add(Self.small)
    _ = offer(&board, 0...0)
    var shown: [String?] = []
    for round in UInt64(0)..<3 {
      _ = board.next(id)
      #expect(board.takeWork() == [Self.smallRendition])
      let taken = camera.frame(round * 30)
      _ = offer(&board, (round * 30 + 1)...(round * 30 + 30))
      #expect(board.finish(Self.smallRendition, taken).ready == [id])
      shown.append(next(&board, id))
    }
    #expect(shown == ["0+0", "30+29", "60+29"])
  }

  @Test("a picture that was made before the news of it came is not shown twice")
  func overtaken() {
    var board = PreviewBoard()
    let id = board.add(Self.small)
    _ = offer(&board, 0...0)
    _ = board.next(id)
    _ = board.takeWork()
    _ = board.finish(Self.smallRendition, camera.frame(1))
    #expect(next(&board, id) == "1+0")
    #expect(next(&board, id) == nil)
    #expect(board.offer(camera.frame(1)) == PreviewBoard.Steps())
    #expect(board.offer(camera.frame(2)).isWorkThere)
  }

  @Test("a picture that cannot be made is shown to nobody, and the next one is tried")
  func broken() {
    var board = PreviewBoard()
    let id = board.add(PreviewForm(longEdge: 640, rate: FrameRate(1), quality: 70))
    _ = offer(&board, 0...0)
    _ = board.next(id)
    #expect(board.takeWork() == [Self.smallRendition])
    #expect(board.finish(Self.smallRendition, nil) == PreviewBoard.Steps())
    #expect(board.takeWork() == [])
    #expect(board.next(id).steps == PreviewBoard.Steps())
    // Though its rate would let it wait for a second.
    #expect(board.offer(camera.frame(1)).isWorkThere)
    #expect(make(&board).told == [id])
    #expect(next(&board, id) == "1+0")
  }

  @Test("a picture that came while another could not be made is tried without waiting for a third")
  func brokenMeanwhile() {
    var board = PreviewBoard()
    let id = board.add(Self.small)
    _ = offer(&board, 0...0)
    _ = board.next(id)
    _ = board.takeWork()
    _ = offer(&board, 1...1)
    #expect(board.finish(Self.smallRendition, nil).isWorkThere)
    #expect(make(&board).told == [id])
    #expect(next(&board, id) == "1+1")
  }

  @Test("who comes to what others see has their picture at once if it is new")
  func joins() {
    var board = PreviewBoard()
    let first = board.add(Self.small)
    _ = offer(&board, 0...0)
    _ = board.next(first)
    make(&board)
    let soon = board.add(Self.small)
    #expect(next(&board, soon) == "0+0")
    _ = offer(&board, 1...30)
    let late = board.add(Self.small)
    #expect(board.next(late).steps.isWorkThere)
    make(&board)
    #expect(next(&board, late) == "30+0")
  }

  @Test("what nobody wants any more is not kept")
  func forgets() {
    var board = PreviewBoard()
    let id = board.add(Self.small)
    _ = offer(&board, 0...0)
    _ = board.next(id)
    weak var made: Frame?
    for rendition in board.takeWork() {
      let frame = camera.frame(0)
      made = frame
      _ = board.finish(rendition, frame)
    }
    #expect(made != nil)
    board.remove(id)
    #expect(made == nil)
    #expect(!board.needsMaker)
    #expect(board.newest == nil)
  }

  // MARK: Changes

  @Test("another form goes on with the newest picture not yet seen")
  func form() {
    var board = PreviewBoard()
    let id = board.add(PreviewForm())
    _ = offer(&board, 0...0)
    #expect(next(&board, id) == "0+0")
    #expect(next(&board, id) == nil)
    #expect(board.setForm(id, Self.small) == PreviewBoard.Steps())
    #expect(board.offer(camera.frame(1)).isWorkThere)
    #expect(board.setForm(id, PreviewForm()).ready == [id])
    #expect(next(&board, id) == "1+0")
  }

  @Test("a camera that changes its size or format in mid-stream is followed without a word of the viewer")
  func source() {
    var board = PreviewBoard()
    let id = board.add(Self.small)
    _ = offer(&board, 0...0)
    #expect(board.next(id).steps.isWorkThere)
    make(&board)
    #expect(next(&board, id) == "0+0")
    #expect(next(&board, id) == nil)
    var smaller = camera
    smaller.size = PixelSize(width: 640, height: 480)
    #expect(board.offer(smaller.frame(1)).ready == [id])
    #expect(!board.needsMaker)
    #expect(board.next(id).picture?.frame.size == smaller.size)
    _ = board.next(id)
    smaller.format = .yuyv
    #expect(board.offer(smaller.frame(2)).isWorkThere)
    #expect(board.takeWork() == [.made(smaller.size, quality: 70)])
  }

  @Test("after the end of a run nothing of it is shown, and the next run goes on by itself")
  func runs() {
    var board = PreviewBoard()
    let ids = [board.add(PreviewForm()), board.add(Self.small)]
    _ = offer(&board, 7...9)
    board.end()
    for id in ids { #expect(next(&board, id) == nil) }
    #expect(board.takeWork() == [])
    var again = camera
    again.run = 2
    let steps = board.offer(again.frame(0))
    #expect(steps == PreviewBoard.Steps(ready: [ids[0]], isWorkThere: true))
    #expect(next(&board, ids[0]) == "0+0")
  }

  @Test("who is gone is told nothing and asked for nothing")
  func gone() {
    var board = PreviewBoard()
    let id = board.add(PreviewForm())
    _ = board.next(id)
    board.remove(id)
    #expect(offer(&board, 0...3) == [])
    #expect(next(&board, id) == nil)
    #expect(board.setForm(id, Self.small) == PreviewBoard.Steps())
    #expect(board.viewerCount == 0)
  }
}
