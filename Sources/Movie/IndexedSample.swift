/// What the index keeps of a sample, be it written or found.
protocol IndexedSample {
  var duration: Int64 { get }
  var byteCount: Int { get }
  var isKeyframe: Bool { get }
}

extension FragmentSample: IndexedSample {}
