import RigClient
import Testing

@Suite("Where a rig is")
struct RigAddressTests {
  @Test(
    "a name or an address, with or without a port, or a page of the rig",
    arguments: [
      ("rig.local", "rig.local:8470"), ("Rig.Local:9000", "rig.local:9000"), ("192.0.2.7", "192.0.2.7:8470"),
      ("192.0.2.7:443", "192.0.2.7:443"), ("fe80::1%eth0", "[fe80::1%eth0]:8470"),
      ("[2001:db8::1]", "[2001:db8::1]:8470"),
      ("[2001:db8::1]:81", "[2001:db8::1]:81"), ("https://rig.local:8471/#code=12345678", "rig.local:8471"),
      ("https://rig.local/", "rig.local:8470"),
    ])
  func reads(_ text: String, _ address: String) {
    #expect(RigAddress(text)?.description == address)
    #expect(RigAddress(address)?.description == address)
  }

  @Test(
    "anything else is none, and never the name of a socket on this machine",
    arguments: [
      "", ":8470", "rig:0", "rig:65536", "rig:x", "http://rig/", "rig/page", "+/run/socket", "a b", "user@rig",
      "[::1]x",
    ])
  func refuses(_ text: String) { #expect(RigAddress(text) == nil) }
}
