import CamrigModel

extension Catalog {
  /// Newest first.
  package func shots(limit: Int = 100) -> [ShotRecord] {
    state.withLock { state in
      var shots: [ShotRecord] =
        ask(&state) { database throws(DatabaseError) in
          try database.summaries(.shots, limit: limit)
        }.map { Database.read($0) } ?? []
      if !state.unsavedShots.isEmpty {
        shots.removeAll { state.unsavedShots[$0.shot] != nil }
        shots.append(contentsOf: state.unsavedShots.values)
        shots.sort { ($0.at, $0.shot) > ($1.at, $1.shot) }
      }
      return Array(shots.prefix(max(limit, 0)))
    }
  }

  package func put(_ shot: ShotRecord) {
    state.withLock { state in
      state.unsavedShots[shot.shot] = shot
      let waiting = state.unsavedShots.values.map(\.row)
      let saved: Void? = ask(&state) { database throws(DatabaseError) in try database.put(waiting, in: .shots) }
      if saved != nil { state.unsavedShots = [:] }
    }
  }

  /// As `takeIn`, for shots.
  @discardableResult
  package func takeInShots(
    _ media: MediaDirectory, limit: Int = mostPutRight, wait: VolumeWait = VolumeWait()
  ) -> Int {
    let orphans = wait.during { media.shotNames }.subtracting(listedShots).sorted(by: >).prefix(limit)
    let found = orphans.compactMap { shot in wait.during { ShotFolder(shot, in: media).read() } }
    add(found)
    return found.count
  }

  /// As `dropGone`, for shots.
  @discardableResult
  package func dropGoneShots(limit: Int = mostPutRight, doubt: (RecordingError) -> Void = { _ in }) -> Int {
    let gone = GoneFolders(
      listedShots, in: places.all.map(\.path), part: MediaDirectory.shotsPart, limit: limit)
    if let why = gone.doubt { doubt(why) }
    guard !gone.names.isEmpty else { return 0 }
    state.withLock { state in
      for ghost in gone.names { state.unsavedShots[ghost] = nil }
      _ = ask(&state) { database throws(DatabaseError) in try database.remove(gone.names, from: .shots) }
    }
    return gone.names.count
  }

  private var listedShots: Set<String> {
    state.withLock { state in
      let saved = ask(&state) { database throws(DatabaseError) in try database.ids(.shots) } ?? []
      return Set(saved).union(state.unsavedShots.keys)
    }
  }

  /// What was put since they were read is newer.
  private func add(_ shots: [ShotRecord]) {
    guard !shots.isEmpty else { return }
    state.withLock { state in
      let rows = shots.map(\.row)
      let saved: Void? = ask(&state) { database throws(DatabaseError) in try database.add(rows, to: .shots) }
      guard saved == nil else { return }
      for shot in shots where state.unsavedShots[shot.shot] == nil { state.unsavedShots[shot.shot] = shot }
    }
  }
}
