#!/usr/bin/python3
"""The page out of the source tree in front of a running rig, so that it can be changed without building camrigd:

  Tests/Web/page_proxy.py --rig http://127.0.0.1:8471 --port 8480
"""

import argparse
import asyncio

from aiohttp import ClientConnectionError, ClientSession, ClientTimeout, WSMsgType, web

from mock_rig import POLICY, TYPES, WEB

HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "keep-alive", "upgrade"}


class Proxy:
    def __init__(self, rig: str) -> None:
        self.rig = rig

    async def answer(self, request):
        name = "index.html" if request.path == "/" else request.path.removeprefix("/assets/")
        path = WEB / name
        if path.parent == WEB and path.is_file():
            return web.Response(body=path.read_bytes(), content_type=TYPES[path.suffix],
                                headers={"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"})
        try:
            if request.headers.get("Upgrade", "").lower() == "websocket":
                return await self.join(request)
            return await self.forward(request)
        except ClientConnectionError:
            return web.Response(status=502, text="The rig is not there.")

    def headers(self, request):
        # Host and Origin stay as they are: the rig compares them.
        return {name: value for name, value in request.headers.items()
                if name.lower() not in HOP_BY_HOP and not name.lower().startswith("sec-websocket")}

    async def forward(self, request):
        async with self.session.request(request.method, self.rig + request.path_qs, headers=self.headers(request),
                                        data=await request.read(), allow_redirects=False) as answer:
            headers = [(name, value) for name, value in answer.headers.items() if name.lower() not in HOP_BY_HOP]
            response = web.StreamResponse(status=answer.status, headers=headers)
            await response.prepare(request)
            async for piece in answer.content.iter_any():
                await response.write(piece)
            return response

    async def join(self, request):
        protocols = [name.strip() for name in request.headers.get("Sec-WebSocket-Protocol", "").split(",")]
        async with self.session.ws_connect(self.rig + request.path_qs, headers=self.headers(request), protocols=protocols,
                                           max_msg_size=0) as rig:
            page = web.WebSocketResponse(protocols=protocols, max_msg_size=0)
            await page.prepare(request)
            both = [asyncio.ensure_future(self.pass_on(page, rig)), asyncio.ensure_future(self.pass_on(rig, page))]
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for one in both:
                one.cancel()
            await page.close()
        return page

    @staticmethod
    async def pass_on(source, target):
        async for message in source:
            if message.type == WSMsgType.TEXT:
                await target.send_str(message.data)
            elif message.type == WSMsgType.BINARY:
                await target.send_bytes(message.data)

    async def listen(self, port: int) -> None:
        async with ClientSession(timeout=ClientTimeout(total=None), auto_decompress=False) as self.session:
            application = web.Application(client_max_size=2**20)
            application.router.add_route("*", "/{path:.*}", self.answer)
            runner = web.AppRunner(application, access_log=None)
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", port, reuse_address=True).start()
            print(f"http://127.0.0.1:{port}", flush=True)
            await asyncio.Event().wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rig", default="http://127.0.0.1:8471")
    parser.add_argument("--port", type=int, default=8480)
    options = parser.parse_args()
    asyncio.run(Proxy(options.rig.rstrip("/")).listen(options.port))


if __name__ == "__main__":
    main()
