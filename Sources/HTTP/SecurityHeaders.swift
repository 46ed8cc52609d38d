/// What every response says to a browser unless the handler says otherwise: scripts, styles, pictures and connections
/// from the rig alone, in nobody's frame, no guessing at types, and no address of ours told to others.
enum SecurityHeaders {
  static let fields: [(name: String, value: String)] = [
    (
      "content-security-policy",
      "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'"
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
  ]
}
