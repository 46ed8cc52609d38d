/// A volume that does not answer: a network's that is away, a disk that is broken.
package struct VolumeSilence: Error, Hashable, CustomStringConvertible {
  /// The directory by which people know it.
  package let path: String

  package init(path: String) { self.path = path }

  package var description: String {
    "The volume of \(path) does not answer. Look after its cable or its network; dmesg tells what the kernel waits for."
  }
}
