import CamrigModel
import RigControl
import Settings
import Testing

@Suite("A configuration that is read again")
struct ReloadTests {
  private func waiting(_ change: (inout Configuration) -> Void) -> [String] {
    var new = Configuration()
    change(&new)
    return new.needsRestart(from: Configuration())
  }

  @Test("what counts at once needs no restart")
  func atOnce() {
    #expect(waiting { _ in } == [])
    #expect(
      waiting {
        $0.rig.name = "Stage"
        $0.storage.diskReserveBytes = 1 << 40
        $0.storage.clipLength = .seconds(60)
        $0.recording.preRoll = .seconds(1)
        $0.recording.fragmentLength = .milliseconds(500)
        $0.recording.queueLength = .seconds(1)
        $0.recording.encoder = .libx264
        $0.recording.encoderQuality = 1
        $0.cameras.keepOpen = true
      } == [])
  }

  @Test("what cameras, sockets and the catalog are made with is named")
  func named() {
    #expect(waiting { $0.storage.mediaDirectory = "/media" } == ["MediaDirectory="])
    #expect(waiting { $0.storage.secondDirectory = "/media" } == ["SecondDirectory="])
    #expect(waiting { $0.recording.preRoll = .seconds(30) } == ["PreRoll= (to reach further back)"])
    #expect(
      waiting {
        $0.cameras.idleTimeout = .seconds(1)
        $0.cameras.buffers = 4
        $0.cameras.allowSmallerFormats = false
        $0.cameras.defaultSize = PixelSize(width: 8, height: 8)
        $0.cameras.defaultRate = FrameRate(5)
      } == ["IdleTimeout=", "Buffers=", "AllowSmallerFormats=", "DefaultSize=", "DefaultRate="])
    #expect(
      waiting {
        $0.rig.demoCameras = 1
        $0.control.socket = "/s"
        $0.control.group = "video"
        $0.log.level = .debug
      } == ["DemoCameras=", "Socket=", "Group=", "Level="])
  }
}
