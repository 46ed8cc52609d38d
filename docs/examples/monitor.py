#!/usr/bin/python3
"""A monitor in some 60 lines: pairs, records five seconds while it saves a camera's live pictures, and lists the takes.

    monitor.py https://HOST:8470 FINGERPRINT CODE        the last two as `camrigctl pair` shows them

Needs python3-websockets and openssl.
"""
import asyncio
import json
import ssl
import struct
import subprocess
import sys
import urllib.request
from urllib.parse import urlsplit

import websockets

# websockets 14 has another name for it.
HEADERS = 'additional_headers' if int(websockets.__version__.split('.')[0]) >= 14 else 'extra_headers'


def trust(host, port, fingerprint):
    """A TLS context that knows the rig by its authority's key, whatever name it is reached by."""
    shown = subprocess.run(['openssl', 's_client', '-showcerts', '-connect', f'{host}:{port}'], input='', text=True,
                           capture_output=True).stdout
    authority = '-----BEGIN' + shown.split('-----BEGIN')[-1].split('-----END CERTIFICATE-----')[0] + '-----END CERTIFICATE-----\n'
    key = subprocess.run(['openssl', 'x509', '-noout', '-pubkey'], input=authority, text=True, capture_output=True).stdout
    der = subprocess.run(['openssl', 'pkey', '-pubin', '-outform', 'der'], input=key.encode(), capture_output=True).stdout
    found = subprocess.run(['openssl', 'dgst', '-sha256', '-r'], input=der, capture_output=True).stdout.split()[0].decode()
    if found != fingerprint.replace(' ', '').removeprefix('sha256:'):
        sys.exit(f'{host} is not the rig: its fingerprint is {found}')
    context = ssl.create_default_context(cadata=authority)
    context.check_hostname = False
    return context


async def main(url, fingerprint, code):
    place = urlsplit(url)
    context = trust(place.hostname, place.port, fingerprint)
    pairing = urllib.request.Request(f'{url}/pair', json.dumps({'code': code, 'name': 'example'}).encode())
    token = json.load(urllib.request.urlopen(pairing, context=context))['token']
    options = {'ssl': context, HEADERS: {'Authorization': f'Bearer {token}'}, 'max_size': None}
    base = url.replace('http', 'ws', 1)
    async with websockets.connect(f'{base}/monitor', subprotocols=['camrig.monitor.v1'], **options) as control, \
            websockets.connect(f'{base}/monitor/media', subprotocols=['camrig.media.v1'], **options) as media:

        async def call(method, **params):
            await control.send(json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params}))
            answer = json.loads(await control.recv())
            return answer['result'] if 'result' in answer else sys.exit(answer['error']['message'])

        started = await call('recording.start')
        await media.send(json.dumps({'jsonrpc': '2.0', 'method': 'preview.start', 'params': {
            'stream': 1, 'camera': started['cameras'][0]['id'], 'longEdge': 640, 'credit': 2}}))
        end = asyncio.get_running_loop().time() + 5
        with open('preview.mjpeg', 'wb') as file:
            while asyncio.get_running_loop().time() < end:
                message = await media.recv()
                sequence, = struct.unpack_from('<Q', message, 8)
                file.write(message[32:])
                await media.send(json.dumps({'jsonrpc': '2.0', 'method': 'preview.credit',
                                             'params': {'stream': 1, 'sequence': sequence}}))
        await call('recording.stop')
        for take in await call('take.list'):
            print(take['id'], f"{take['durationSeconds']:.1f} s", f"{take['bytes']} bytes")


asyncio.run(main(*sys.argv[1:4]))
