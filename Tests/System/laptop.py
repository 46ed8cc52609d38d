"""A person's laptop outside the machine: other people's programs (curl, openssl, python3-websockets) against the rig."""
import asyncio
import json
import ssl
import struct
import subprocess
import time

import websockets

# Of a media message (docs/ref/media-stream.md): sequence, PTS in microseconds of the rig's clock, width, height,
# skipped, milliseconds from when it was taken until it was given to the network.
HEADER = struct.Struct('<8xQqHHHH')


class Picture:
    def __init__(self, message, stream, moment):
        self.stream, self.moment = stream, moment
        self.sequence, pts, self.width, self.height, self.skipped, age = HEADER.unpack_from(message)
        self.taken, self.age = pts / 1e6, age / 1e3
        self.jpeg = bytes(message[32:])


class Laptop:
    """Knows the rig by the fingerprint alone, as a person has read it off the rig."""

    def __init__(self, port, folder, host='camrig-vm.local'):
        self.port, self.folder, self.host = port, folder, host
        self.authority = f'{folder}/authority.pem'
        self.token = None

    # --- trust ---

    def trust(self, fingerprint):
        """Fetches the rig's authority, and takes it only if its key is the one."""
        self._curl('--insecure', '--output', f'{self.folder}/ca.crt', f'https://{self.host}:8470/ca.crt')
        self._openssl('x509', '-inform', 'der', '-in', f'{self.folder}/ca.crt', '-out', self.authority)
        key = self._openssl('x509', '-in', self.authority, '-noout', '-pubkey')
        der = self._openssl('pkey', '-pubin', '-outform', 'der', input=key)
        digest = self._openssl('dgst', '-sha256', '-r', input=der).split()[0].decode()
        assert digest == fingerprint.removeprefix('sha256:'), f'{digest}, the rig says {fingerprint}'

    def _openssl(self, *words, input=b''):
        return subprocess.run(['openssl', *words], input=input, check=True, stdout=subprocess.PIPE).stdout

    def _curl(self, *words, check=True):
        # The guest's port is forwarded from one of this machine's; names and certificates are the real ones.
        done = subprocess.run(
            ['curl', '--silent', '--show-error', '--max-time', '120', '--connect-to',
             f'{self.host}:8470:127.0.0.1:{self.port}', *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if check:
            assert done.returncode == 0, f'curl {words}: {done.returncode}: {done.stderr.decode()}'
        return done

    # --- HTTPS ---

    def get(self, path, *words):
        """(status, body); TLS is checked in full."""
        done = self._curl('--cacert', self.authority, '--write-out', '\n%{http_code}', *self._credentials(), *words,
                          f'https://{self.host}:8470{path}')
        body, _, status = done.stdout.rpartition(b'\n')
        return int(status), body

    def connect_once(self):
        """A connection of its own, one request; what went wrong, or nothing."""
        done = self._curl('--cacert', self.authority, '--output', '/dev/null', '--fail',
                          f'https://{self.host}:8470/session', check=False)
        return f'{done.returncode}: {done.stderr.decode().strip()}' if done.returncode else ''

    def _credentials(self):
        return ['--header', f'Authorization: Bearer {self.token}'] if self.token else []

    def post(self, path, document):
        status, body = self.get(path, '--data', json.dumps(document))
        return status, json.loads(body)

    def pair(self, code, name):
        status, answer = self.post('/pair', {'code': code, 'name': name})
        assert status == 200 and answer['token'], (status, answer)
        self.token = answer['token']

    def call(self, method, **params):
        status, answer = self.post('/rpc', {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params})
        assert status == 200 and 'result' in answer, (status, answer)
        return answer['result']

    def download(self, path, to):
        self._curl('--cacert', self.authority, *self._credentials(), '--fail', '--output', to,
                   f'https://{self.host}:8470{path}')

    # --- WebSockets ---

    def _connect(self, path, subprotocol):
        context = ssl.create_default_context(cafile=self.authority)
        return websockets.connect(
            f'wss://{self.host}:8470{path}', host='127.0.0.1', port=self.port, server_hostname=self.host, ssl=context,
            subprotocols=[subprotocol], extra_headers={'Authorization': f'Bearer {self.token}'}, max_size=None,
            open_timeout=60, ping_interval=None)

    def state(self):
        """What `state.watch` shows."""
        async def ask():
            async with self._connect('/monitor', 'camrig.monitor.v1') as socket:
                await socket.send(json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'state.watch'}))
                while True:
                    answer = json.loads(await asyncio.wait_for(socket.recv(), 60))
                    if answer.get('id') == 1:
                        return answer['result']['state']
        return asyncio.run(ask())

    def watch(self, cameras, seconds, long_edge=640):
        """The previews of the cameras, by their IDs, all at once for so long."""
        async def look():
            seen = {camera: [] for camera in cameras}
            async with self._connect('/monitor/media', 'camrig.media.v1') as socket:
                for stream, camera in enumerate(cameras, 1):
                    await socket.send(json.dumps({'jsonrpc': '2.0', 'method': 'preview.start', 'params': {
                        'stream': stream, 'camera': camera, 'longEdge': long_edge, 'credit': 2}}))
                end = time.monotonic() + seconds
                while (left := end - time.monotonic()) > 0:
                    try:
                        message = await asyncio.wait_for(socket.recv(), left)
                    except asyncio.TimeoutError:
                        break
                    if isinstance(message, str):
                        raise AssertionError(message)
                    stream, = struct.unpack_from('<I', message, 4)
                    picture = Picture(message, stream, time.monotonic())
                    seen[cameras[stream - 1]].append(picture)
                    await socket.send(json.dumps({'jsonrpc': '2.0', 'method': 'preview.credit', 'params': {
                        'stream': stream, 'sequence': picture.sequence}}))
            return seen
        return asyncio.run(look())
