import CamrigModel
import DaemonKit
import Glibc
import Synchronization

/// The settings in memory and in their file. Any thread may call; a change is in the file before `update` returns.
package final class SettingsStore: Sendable {
  private let settings: Guarded<RigSettings>
  private let path: String
  /// Why the file must not be written: there is one that was not read and must not be lost.
  private let obstacle: SettingsError?

  /// Never fails: what cannot be read is kept aside, and the version before it or the defaults take its place.
  /// A file that cannot even be moved aside stays as it is, and every `update` throws.
  package init(path: String, log: Log, clock: any RigClock = SystemClock()) {
    self.path = path
    let (loaded, obstacle) = Self.load(path, log, clock)
    settings = Guarded(loaded)
    self.obstacle = obstacle
  }

  package var current: RigSettings { settings.withLock { $0 } }

  /// Changes the settings by `body` and keeps them durably. If the disk refuses, nothing is changed.
  @discardableResult
  package func update<R: Sendable>(_ body: (inout RigSettings) -> R) throws(SettingsError) -> R {
    try settings.withLock { current throws(SettingsError) -> R in
      var changed = current
      let result = body(&changed)
      guard changed != current else { return result }
      if let obstacle { throw obstacle }
      let bytes = try SettingsFile.encode(changed)
      do throws(FileError) {
        try AtomicFile.write(bytes, to: path, mode: 0o640, keepPrevious: true)
      } catch {
        throw .file(error)
      }
      current = changed
      return result
    }
  }

  private static func load(
    _ path: String, _ log: Log, _ clock: any RigClock
  ) -> (RigSettings, obstacle: SettingsError?) {
    let stamp = clock.anchor.wall.compact
    switch attempt(path) {
    case .settings(let settings):
      if settings.version > RigSettings.schemaVersion {
        let copy = "\(path).version-\(settings.version)"
        log.warning(
          "\(path) was written by a later release (version \(settings.version), this one knows "
            + "\(RigSettings.schemaVersion)). What is unknown is ignored; the file as it was is kept as \(copy).",
          .settingsSetAside)
        // An earlier copy is the better one: that file had not been through this release.
        _ = link(path, copy)
      }
      return (settings, nil)
    case .missing:
      // Between two renames on a file system without hard links only the previous version exists.
      guard let settings = restorePrevious(path) else { return (RigSettings(), nil) }
      log.warning("\(path) is gone; the version before the last change is used.", .settingsSetAside)
      return (settings, nil)
    case .denied(let error):
      log.error("\(error) The settings have their defaults, and no change is kept. Repair it and restart camrigd.")
      return (RigSettings(), .file(error))
    case .unreadable(let error):
      guard let aside = KeptAside.move(path, stamp: stamp) else {
        log.error("\(error) It cannot be moved aside either: the settings have their defaults, no change is kept.")
        return (RigSettings(), error)
      }
      let previous = restorePrevious(path)
      log.error(
        "\(error) The file is kept as \(aside). "
          + (previous != nil
            ? "The version before the last change is used."
            : "There is no earlier version: the settings have their defaults."),
        .settingsSetAside)
      return (previous ?? RigSettings(), nil)
    }
  }

  private static func restorePrevious(_ path: String) -> RigSettings? {
    guard case .settings(let settings) = attempt(path + ".previous") else { return nil }
    // Where this fails, the next change writes the file, or says why it cannot.
    if let bytes = try? SettingsFile.encode(settings) { try? AtomicFile.write(bytes, to: path) }
    return settings
  }

  private enum Attempt {
    case settings(RigSettings)
    case missing
    case denied(FileError)
    case unreadable(SettingsError)
  }

  private static func attempt(_ path: String) -> Attempt {
    do throws(SettingsError) {
      return try SettingsFile.read(path).map { .settings($0) } ?? .missing
    } catch {
      switch error {
      case .file(let error): return .denied(error)
      case .unreadable, .notWritable: return .unreadable(error)
      }
    }
  }
}
