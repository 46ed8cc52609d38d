import CamrigModel

/// Why the rig does not do what was asked, with the cure; the text is what monitors show.
package struct RigError: Error, Hashable, Sendable, CustomStringConvertible {
  package let code: RigErrorCode
  package let message: String

  package init(_ code: RigErrorCode, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
