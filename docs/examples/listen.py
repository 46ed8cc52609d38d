#!/usr/bin/python3
"""Listens to a rig's microphone: s16le at 48 kHz, raw.

    listen.py https://HOST:8470 TOKEN MICROPHONE | ffplay -nodisp -f s16le -ar 48000 -i -        -ac 2 where it is stereo

TOKEN is of a monitor that was paired; the rig's authority (GET /ca.crt) is in rig.pem. Needs python3-websockets.
"""
import asyncio
import json
import os
import ssl
import struct
import sys

import websockets

# websockets 14 has another name for it.
HEADERS = 'additional_headers' if int(websockets.__version__.split('.')[0]) >= 14 else 'extra_headers'


async def main(url, token, microphone):
    context = ssl.create_default_context(cafile='rig.pem')
    context.check_hostname = False
    async with websockets.connect(f"{url.replace('http', 'ws', 1)}/monitor/media", subprotocols=['camrig.media.v1'], ssl=context,
                                  **{HEADERS: {'Authorization': f'Bearer {token}'}}) as media:
        async def tell(method, **params):
            await media.send(json.dumps({'jsonrpc': '2.0', 'method': method, 'params': {'stream': 1, **params}}))

        await tell('sound.start', microphone=microphone, credit=10)
        async for message in media:
            if isinstance(message, str):
                sys.exit(json.loads(message)['params']['reason'])
            sequence, = struct.unpack_from('<Q', message, 8)
            skipped, = struct.unpack_from('<H', message, 28)
            if skipped:
                print(f'{skipped * 20} ms missed', file=sys.stderr)
            await tell('sound.credit', sequence=sequence)
            os.write(1, message[32:])


try:
    asyncio.run(main(*sys.argv[1:4]))
except (BrokenPipeError, KeyboardInterrupt):
    pass  # Heard enough.
