import HTTP

/// What Prometheus asks for.
extension MonitorSite {
  func metrics() async -> HTTPResponse {
    let metrics = Metrics(
      await rig.status(), previews: previews.statuses, sounds: sounds.statuses, paired: book.monitors.count,
      connected: guests.present.count)
    return HTTPResponse(
      200, type: "text/plain; version=0.0.4; charset=utf-8", Array(metrics.text.utf8),
      headers: ["cache-control": "no-store"])
  }
}
