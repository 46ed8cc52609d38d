import CamrigModel

/// Which lines are written and which are counted: of the same trouble three in a minute, then their number.
package struct LogThrottle: Sendable {
  package static let written = 3
  package static let window = Duration.seconds(60)
  /// More kinds of trouble at once than this share one account.
  package static let mostKeys = 256

  private struct Account {
    var begun: MediaTime
    var count: Int
    /// The last of those not written.
    var last: LogLine?
  }

  package enum Verdict: Hashable, Sendable {
    case write
    case count
    /// As `count`, and the first one: ask for `due` when the time is up.
    case countUntil(MediaTime)
  }

  private var accounts: [String: Account] = [:]

  package init() {}

  package mutating func judge(_ line: LogLine, at now: MediaTime) -> Verdict {
    var key = Self.key(of: line)
    if accounts[key] == nil, accounts.count >= Self.mostKeys {
      accounts = accounts.filter { $0.value.last != nil || now - $0.value.begun < Self.window }
      if accounts.count >= Self.mostKeys { key = "" }
    }
    guard var account = accounts[key], account.last != nil || now - account.begun < Self.window else {
      accounts[key] = Account(begun: now, count: 1)
      return .write
    }
    account.count += 1
    defer { accounts[key] = account }
    guard account.count > Self.written else { return .write }
    let isFirst = account.last == nil
    account.last = line
    return isFirst ? .countUntil(account.begun + Self.window) : .count
  }

  /// The accounts whose minute is over, as one line each.
  package mutating func due(at now: MediaTime) -> [LogLine] {
    close { now - $0.begun >= Self.window }
  }

  /// All that was counted, for the end of the program.
  package mutating func rest() -> [LogLine] { close { _ in true } }

  private mutating func close(_ isOver: (Account) -> Bool) -> [LogLine] {
    var lines: [LogLine] = []
    for (key, account) in accounts.sorted(by: { $0.value.begun < $1.value.begun }) where isOver(account) {
      accounts[key] = nil
      guard var line = account.last else { continue }
      let count = account.count - Self.written
      line.message = "\(count) more like this within a minute, the last: \(line.message)"
      line.fields["CAMRIG_REPEATED"] = "\(count)"
      lines.append(line)
    }
    return lines
  }

  /// The same trouble of the same camera, take and address in the network, whatever numbers its text names: who is
  /// refused shall be named, however many others were.
  private static func key(of line: LogLine) -> String {
    "\(line.level.rawValue) \(line.camera?.rawValue ?? "") \(line.take ?? "") \(line.fields[LogLine.addressField] ?? "") "
      + (line.event?.rawValue ?? withoutNumbers(line.message))
  }

  private static func withoutNumbers(_ text: String) -> String {
    var result = ""
    for character in text {
      if !character.isNumber {
        result.append(character)
      } else if result.last != "#" {
        result.append("#")
      }
    }
    return result
  }
}
