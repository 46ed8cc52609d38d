import CALSA

/// libasound as a whole.
enum SoundLibrary {
  /// What goes wrong is an error of ours, and a line in the journal where it is news.
  static let isQuiet: Bool = {
    calsa_be_quiet()
    return true
  }()
}
