import CamrigModel
import Capture
import Testing

@Suite("Pictures that are dragged")
struct PictureBurstTests {
  private func zoomed(_ zoom: Double) -> PictureSetting { PictureSetting(kept: PictureChoice(zoom: zoom)) }

  private func expect(_ burst: inout PictureBurst, hasCalmed: Bool, rest: PictureSetting?) {
    let found = burst.hasCalmed()
    #expect(found == hasCalmed && burst.rest == rest)
  }

  @Test("a single change is over with the first look, and nothing more is to show")
  func single() {
    var burst = PictureBurst(first: zoomed(2))
    expect(&burst, hasCalmed: true, rest: nil)
  }

  @Test("as long as wishes come it goes on; then the last one shows")
  func many() {
    var burst = PictureBurst(first: zoomed(1.1))
    for step in 0..<30 {
      burst.wish(zoomed(2 + Double(step) / 10))
      if step % 3 == 2 { expect(&burst, hasCalmed: false, rest: zoomed(2 + Double(step) / 10)) }
    }
    expect(&burst, hasCalmed: true, rest: zoomed(4.9))
  }

  @Test("a drag that leads back to where it began shows nothing anew")
  func back() {
    var burst = PictureBurst(first: zoomed(2))
    burst.wish(zoomed(3))
    burst.wish(zoomed(2))
    expect(&burst, hasCalmed: false, rest: nil)
    expect(&burst, hasCalmed: true, rest: nil)
  }
}
