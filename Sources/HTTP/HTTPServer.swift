/// A web server. What it is made of stands behind this protocol; `WebSocketsServer` is the one there is.
package protocol HTTPServer: Sendable {
  /// Serves those who connect to `socket` from now on, over TLS if `isSecure`.
  func serve(_ socket: ListeningSocket, isSecure: Bool) throws(HTTPServerError)
  /// Takes nobody new at that socket and closes it; who is connected stays.
  func withdraw(_ socket: ListeningSocket)
  /// New TLS connections get this certificate; those that are open keep theirs.
  func use(_ certificate: ServerCertificate)
  /// Tells the WebSockets that the rig goes, lets responses end for a moment, and waits until all is closed.
  func stop()
}
