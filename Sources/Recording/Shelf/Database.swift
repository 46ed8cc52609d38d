import CSQLite
import CamrigModel

struct DatabaseError: Error {
  let code: Int32
  let text: String

  /// The file is not what SQLite writes.
  var isCorrupt: Bool { code & 0xff == SQLITE_CORRUPT || code & 0xff == SQLITE_NOTADB }
}

/// The catalog's tables in SQLite.
///
/// `@unchecked`: the catalog's lock guards it.
final class Database: @unchecked Sendable {
  enum Table: String, CaseIterable {
    case takes, shots
  }

  struct Row {
    let id: String
    let start: WallTime
    /// JSON.
    let summary: String
  }

  private let handle: OpaquePointer

  init(_ path: String, readOnly: Bool = false) throws(DatabaseError) {
    var opened: OpaquePointer?
    // Without the right to write (a full volume) SQLite cannot make its -shm; an immutable file needs none.
    let name = readOnly ? "file:\(Self.escaped(path))?immutable=1" : path
    let flags =
      readOnly ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      let text = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close(opened)
      throw DatabaseError(code: code, text: "\(path): \(text)")
    }
    handle = opened
    sqlite3_busy_timeout(handle, 2000)
    if readOnly {
      try run("SELECT id FROM takes LIMIT 1")
      return
    }
    try run("PRAGMA journal_mode = WAL")
    // A power cut may take the newest rows, never the file: the folders bring them back.
    try run("PRAGMA synchronous = NORMAL")
    for table in Table.allCases {
      try run(
        """
        CREATE TABLE IF NOT EXISTS \(table.rawValue) (
          id TEXT PRIMARY KEY NOT NULL, start INTEGER NOT NULL, summary TEXT NOT NULL
        ) WITHOUT ROWID
        """)
      try run("CREATE INDEX IF NOT EXISTS \(table.rawValue)_by_start ON \(table.rawValue) (start DESC, id DESC)")
    }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Newest first, as JSON.
  func summaries(_ table: Table, limit: Int) throws(DatabaseError) -> [String] {
    var rows: [String] = []
    try run("SELECT summary FROM \(table.rawValue) ORDER BY start DESC, id DESC LIMIT ?", [.number(Int64(limit))]) {
      rows.append($0)
    }
    return rows
  }

  func ids(_ table: Table) throws(DatabaseError) -> [String] {
    var ids: [String] = []
    try run("SELECT id FROM \(table.rawValue)") { ids.append($0) }
    return ids
  }

  func put(_ rows: [Row], in table: Table) throws(DatabaseError) { try insert(rows, "INSERT OR REPLACE", table) }

  /// Only those that are not in it.
  func add(_ rows: [Row], to table: Table) throws(DatabaseError) { try insert(rows, "INSERT OR IGNORE", table) }

  private func insert(_ rows: [Row], _ verb: String, _ table: Table) throws(DatabaseError) {
    try transaction { () throws(DatabaseError) in
      for row in rows {
        try run(
          "\(verb) INTO \(table.rawValue) (id, start, summary) VALUES (?, ?, ?)",
          [.text(row.id), .number(row.start.nanoseconds), .text(row.summary)])
      }
    }
  }

  func remove(_ ids: [String], from table: Table) throws(DatabaseError) {
    try transaction { () throws(DatabaseError) in
      for id in ids { try run("DELETE FROM \(table.rawValue) WHERE id = ?", [.text(id)]) }
    }
  }

  // MARK: SQLite

  private enum Value {
    case number(Int64)
    case text(String)
  }

  private func transaction(_ work: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try run("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      try work()
      try run("COMMIT")
    } catch {
      try? run("ROLLBACK")
      throw error
    }
  }

  /// - Parameter each: gets the first column of each row as text.
  private func run(
    _ text: String, _ values: [Value] = [], each: (String) -> Void = { _ in }
  ) throws(DatabaseError) {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, text, -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      switch value {
      case .number(let number): try check(sqlite3_bind_int64(statement, Int32(index + 1), number))
      case .text(let text):
        try check(sqlite3_bind_text(statement, Int32(index + 1), text, -1, csqlite_transient()))
      }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        if let column = sqlite3_column_text(statement, 0) { each(String(cString: column)) }
      case SQLITE_DONE: return
      case let code: try check(code)
      }
    }
  }

  private func check(_ code: Int32) throws(DatabaseError) {
    guard code != SQLITE_OK else { return }
    throw DatabaseError(code: code, text: String(cString: sqlite3_errmsg(handle)))
  }

  // `?`, `#` and `%` have a meaning in a URI.
  private static func escaped(_ path: String) -> String {
    var text = ""
    for character in path {
      switch character {
      case "?": text += "%3f"
      case "#": text += "%23"
      case "%": text += "%25"
      default: text.append(character)
      }
    }
    return text
  }
}
