"""Clients that ask and then read nothing: what they cost must have a bound."""

import base64
import json
import os
import socket
import ssl


class Mute:
    """A connection by TLS whose window is small and stays full."""

    def __init__(self, port: int) -> None:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.settimeout(20)
        plain.connect(("127.0.0.1", port))
        self.socket = context.wrap_socket(plain)

    def get(self, path: str, token: str) -> "Mute":
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        return self

    def look(self, token: str, cameras: list) -> "Mute":
        self.socket.sendall(
            f"GET /monitor/media HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: camrig.media.v1\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.socket.recv(1)
        assert b" 101 " in head, head
        for number, camera in enumerate(cameras):
            self._say({"jsonrpc": "2.0", "method": "preview.start", "params": {"stream": number, "camera": camera, "credit": 4}})
        return self

    def _say(self, wish: dict) -> None:
        text, mask = json.dumps(wish).encode(), os.urandom(4)
        size = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0x80 | 126]) + len(text).to_bytes(2, "big")
        self.socket.sendall(b"\x81" + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(text)))

    def close(self) -> None:
        self.socket.close()
