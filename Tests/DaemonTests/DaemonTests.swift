import Testing

/// camrigd and camrigctl as their users have them: two programs, a socket and files. One daemon after the other: each
/// records in real time.
@Suite("The daemon", .serialized, .timeLimit(.minutes(5)))
enum DaemonTests {}
