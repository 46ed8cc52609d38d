import CWebSockets

/// Answers without end that may rest, such as the sound of a microphone that is unplugged for a while. Silence says nothing
/// then: a network that swallows everything and a rig that hangs close no connection. So the server is asked something
/// else, beside it. Of a connection that is gone while the server is there the kernel's own probes tell.
extension ClientLoop {
  /// No limit of time holds any more.
  /// - Parameter untilLook: after a while it is looked at.
  func rest(_ wsi: OpaquePointer, untilLook: Bool) {
    cws_limit(wsi, 0)
    if untilLook { lws_set_timer_usecs(wsi, Int64(settings.seconds) * 1_000_000) }
  }

  func lookForLife(_ exchange: ClientExchange, _ wsi: OpaquePointer) {
    guard let target = exchange.request.lifeSign else { return }
    guard !exchange.wasHeard else {
      exchange.wasHeard = false
      return rest(wsi, untilLook: true)
    }
    let question = ClientExchange.Request(method: .get, target: target, headers: exchange.request.headers, body: nil)
    let id = exchange.id
    begin(question) { [unowned self] outcome in
      // It may have ended meanwhile.
      guard exchanges[id] === exchange, let wsi = exchange.wsi else { return }
      switch outcome {
      case .success: rest(wsi, untilLook: true)
      case .failure:
        exchange.fail(.lost(settings.place))
        cws_kill(wsi)
      }
    }
  }
}
