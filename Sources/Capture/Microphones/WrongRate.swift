/// A microphone that gives quite another rate than its driver says.
struct WrongRate: Hashable {
  /// Sample frames a second.
  let stated: Int
  let given: Int

  var message: String {
    "Its driver says \(stated) Hz, and \(given) Hz come. Its sound is converted from what comes, so it has its pitch and "
      + "stays with the pictures; where sound matters, use another microphone or sound card."
  }
}
