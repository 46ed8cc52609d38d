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

  /// As `reconcile`, for shots. For the background: it lists their folder. Returns how many were put right.
  @discardableResult
  package func reconcileShots(limit: Int = 200) -> Int {
    // A volume that is not mounted has lost no shot.
    guard places.isAnyThere else { return 0 }
    let folders = places.shots
    let listed = state.withLock { state in
      let saved = ask(&state) { database throws(DatabaseError) in try database.ids(.shots) } ?? []
      return Set(saved).union(state.unsavedShots.keys)
    }
    // Asked once more: a shot that was taken between the two questions is no ghost.
    let ghosts =
      places.areAllThere
      ? listed.subtracting(folders).filter { !Folder.exists(places.folder(ofShot: $0).path) }.sorted().prefix(limit)
      : []
    if !ghosts.isEmpty {
      state.withLock { state in
        for ghost in ghosts { state.unsavedShots[ghost] = nil }
        _ = ask(&state) { database throws(DatabaseError) in try database.remove(Array(ghosts), from: .shots) }
      }
    }
    var found: [ShotRecord] = []
    for orphan in folders.subtracting(listed).sorted(by: >).prefix(limit - ghosts.count) {
      if let record = places.folder(ofShot: orphan).read() { found.append(record) }
    }
    add(found)
    return ghosts.count + found.count
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
