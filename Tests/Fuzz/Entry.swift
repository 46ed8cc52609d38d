import Glibc

/// Which target: the environment's `CAMRIG_FUZZ`.
private let chosen: FuzzTarget = {
  let name = getenv("CAMRIG_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print("CAMRIG_FUZZ must be one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
    exit(64)
  }
  return target
}()

/// libFuzzer calls it with one input after the other.
@_cdecl("LLVMFuzzerTestOneInput")
package func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
