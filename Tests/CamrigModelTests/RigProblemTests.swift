import CamrigModel
import Testing

@Suite("The problems of a rig")
struct RigProblemTests {
  private let disk = RigProblem(.diskFailed, about: "/mnt/b", "b is dead.")
  private let take = RigProblem(.takeEnded, about: "20261130T090507Z", "It was ended.")

  @Test("keep their keys while others come and go")
  func keys() {
    #expect(RigProblem.keyed([take, disk]).map(\.key) == ["take.ended:20261130T090507Z", "disk.failed:/mnt/b"])
    #expect(RigProblem.keyed([disk]).map(\.key) == ["disk.failed:/mnt/b"])
  }

  @Test("have each a key of their own, be they alike")
  func alike() {
    let port = RigProblem(.notListening, "Port 1 is taken.")
    #expect(RigProblem.keyed([port, port]).map(\.key) == ["network.not-listening", "network.not-listening#2"])
  }
}
