import CamrigModel
import Codec
import Frames

/// One run of a camera's stream on its way through a turner. What its pictures become shows the first of them (how a
/// JPEG is sampled, nobody else tells), so the run's start waits for it. Every number stays in exactly one picture or
/// loss: one that is damaged too badly to be turned is lost as broken.
package struct TurnedRun {
  private enum Phase {
    /// Before the first picture.
    case waiting(StreamRun?, losses: [StreamItem])
    case turning(VideoFormat)
    /// They cannot be turned: better as they are than none.
    case asTheyAre
  }

  /// More losses than that before the first picture are not kept waiting.
  private static let mostLosses = 256
  /// So many pictures in a row that do not fit are no accident.
  private static let mostStrangers = 3

  private let turner: any PictureTurner
  private var phase = Phase.waiting(nil, losses: [])
  package private(set) var refusal: TurnRefusal?
  /// Why the last picture was lost.
  package private(set) var fault: String?
  /// In a row: of another size than the run's, or that could be turned after all.
  private var strangers = 0

  /// What the first picture told was not so, or is so no more: only another run can be right.
  package var mustBeginAnew: Bool { strangers >= Self.mostStrangers }

  package init(_ turner: any PictureTurner) { self.turner = turner }

  /// What comes out for it, in order.
  package mutating func take(_ item: StreamItem) -> [StreamItem] {
    switch item {
    case .started(let run):
      phase = .waiting(run, losses: [])
      return []
    case .lost:
      guard case .waiting(let run, var losses) = phase else { return [item] }
      losses.append(item)
      phase = .waiting(run, losses: losses)
      return losses.count > Self.mostLosses ? begin(as: nil, .asTheyAre) : []
    case .frame(let frame): return begin(with: frame) + [turned(frame)]
    case .ended: return begin(as: nil, .asTheyAre) + [item]
    }
  }

  private mutating func begin(with frame: Frame) -> [StreamItem] {
    guard case .waiting(let run, _) = phase else { return [] }
    do throws(TurnRefusal) {
      let found = try turner.format(of: frame)
      let format = VideoFormat(
        found.pixelFormat, found.size, rate: run?.format.rate, bytesPerLine: found.bytesPerLine)
      return begin(as: format, .turning(format))
    } catch {
      refusal = error
      return begin(as: nil, .asTheyAre)
    }
  }

  /// - Parameter format: nil: the camera's.
  private mutating func begin(as format: VideoFormat?, _ next: Phase) -> [StreamItem] {
    guard case .waiting(let run?, let losses) = phase else { return [] }
    phase = next
    return [.started(StreamRun(number: run.number, format: format ?? run.format, time: run.time))] + losses
  }

  private mutating func turned(_ frame: Frame) -> StreamItem {
    guard case .turning(let format) = phase else {
      let isTurnable = (try? turner.format(of: frame)) != nil
      strangers = isTurnable ? strangers + 1 : 0
      return .frame(frame)
    }
    do throws(CodecError) {
      let turned = try turner.turn(frame)
      guard turned.size == format.size else {
        strangers += 1
        throw .otherFormat(found: "\(turned.size)", expected: "\(format.size)")
      }
      strangers = 0
      return .frame(turned)
    } catch {
      fault = error.description
      return .lost(
        Loss(
          cause: .broken, run: frame.run, firstSequence: frame.sequence, count: 1, time: frame.presentationTime))
    }
  }
}
