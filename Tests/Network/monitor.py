"""A monitor that looks at previews and writes down when each picture came. Standard output: one JSON text when it sees
the first picture (when it began: CLOCK_MONOTONIC), and one at the end of its input, or of the connection.

    monitor.py URL TOKEN STREAMS
"""

import asyncio
import json
import os
import ssl
import struct
import sys
import time

import websockets


async def main(url: str, token: str, streams: list) -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # who it is was proved elsewhere
    pictures, ended, began = [], None, time.monotonic()
    stop = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    socket = await websockets.connect(
        url.replace("http", "ws", 1) + "/monitor/media", ssl=context, subprotocols=["camrig.media.v1"], max_size=None,
        extra_headers={"Authorization": f"Bearer {token}"}, ping_interval=None, compression=None, open_timeout=60)

    async def look() -> None:
        for number, wish in enumerate(streams):
            await socket.send(json.dumps({"jsonrpc": "2.0", "method": "preview.start",
                                          "params": {"stream": number, "credit": 2} | wish}))
        async for message in socket:
            if isinstance(message, str):
                raise RuntimeError(message)
            now = time.monotonic()
            stream, sequence, taken, width, _, skipped, age = struct.unpack_from("<IQqHHHH", message, 4)
            # When, how old, how old as it left the rig, how wide, how large, skipped: times in seconds.
            pictures.append([now - began, now - taken / 1e6, age / 1e3, width, len(message), skipped, stream])
            if len(pictures) == 1:
                print(json.dumps({"began": began}), flush=True)
            await socket.send(json.dumps({"jsonrpc": "2.0", "method": "preview.credit",
                                          "params": {"stream": stream, "sequence": sequence}}))

    looking = asyncio.ensure_future(look())
    await asyncio.wait([looking, stop], return_when=asyncio.FIRST_COMPLETED)
    if looking.done():
        ended = repr(looking.exception() or f"closed with {socket.close_code}")
    print(json.dumps({"pictures": pictures, "ended": ended}), flush=True)
    sys.stdout.flush()
    os._exit(0)  # without a word to the rig: what that costs is the test's to say


asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))
