import CamrigModel
import DaemonKit
import Capture
import Recording

extension TakeStop.Cause {
  /// Nobody has asked for it.
  var isTrouble: Bool {
    switch self {
    case .diskLow, .diskFull, .diskReadOnly, .diskMissing, .diskFailed: true
    case .requested, .shutdown, .crash: false
    }
  }
}

extension Rig {
  package func status() async -> RigStatus {
    let cameras = await registry.cameras
    let storage = await storage()
    let clock = parts.clock.anchor
    let problems = await problems(besides: storage.directory)
    var status = RigStatus(
      version: Version.text, name: name, started: started, clock: clock.sync, armed: armed,
      recording: recording.status(now: clock.media), storage: storage, cameras: cameras, troubles: [])
    status.add(problems)
    status.microphones = await microphones.microphones
    let torches = await torchDesk.torches
    if !torches.isEmpty { status.torches = torches }
    status.timelapse = timelapses.status
    // Also while nothing happens: it says that there is a shutter.
    status.photo = photos.status
    return status
  }

  /// - Parameter directory: its disk has a message of its own.
  private func problems(besides directory: String) async -> [RigProblem] {
    var problems: [RigProblem] = []
    if let problem = shelf.problem { problems.append(problem) }
    if let (take, stop) = endedByTrouble {
      problems.append(RigProblem(.takeEnded, about: take, "Take \(take) was ended by trouble: \(stop.message)"))
    }
    if let recordedElsewhere { problems.append(RigProblem(.takeElsewhere, recordedElsewhere)) }
    problems += await shelf.silences(but: directory)
    if let trouble = await lights.tallyTrouble { problems.append(RigProblem(.tallyFailed, trouble)) }
    if let trouble = await unkept() { problems.append(RigProblem(.settingsNotSaved, trouble)) }
    return problems
  }

  /// Why something that was chosen, or learnt of a camera, would be lost by a restart.
  private func unkept() async -> String? {
    if let trouble = await registry.saveTrouble { return trouble }
    return await microphones.saveTrouble
  }

  /// What monitors call it.
  package var name: String {
    configuration.rig.name.isEmpty ? HostName.current : configuration.rig.name
  }

  private func storage() async -> StorageStatus {
    let media = recorder.media ?? shelf.places.first
    let directory = media.path
    let reserve = configuration.storage.diskReserveBytes
    switch await shelf.space(of: media) {
    case .present(let space):
      let free = Int64(clamping: space.freeBytes)
      let rate = recording.bytesPerSecond ?? 0
      return StorageStatus(
        directory: directory, freeBytes: free, reserveBytes: reserve,
        secondsLeft: rate > 0 ? max(0, Double(free - reserve) / rate) : nil,
        message: space.isReadOnly
          ? RecordingError.readOnly(directory).description
          : free < reserve
            ? RecordingError.diskLow(
              path: directory, freeBytes: space.freeBytes, neededBytes: UInt64(clamping: reserve)
            ).description : "")
    case .missing:
      return StorageStatus(
        directory: directory, freeBytes: nil, reserveBytes: reserve, secondsLeft: nil,
        message: RecordingError.directoryMissing(directory).description)
    case .failed(let number):
      return StorageStatus(
        directory: directory, freeBytes: nil, reserveBytes: reserve, secondsLeft: nil,
        message: RecordingError.failed(directory, number).description)
    }
  }
}
