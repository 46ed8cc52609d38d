"""Moving test pictures and clips for the mock, made once by ffmpeg."""

import subprocess
from pathlib import Path

RATE = 15
LOOP = 60  # pictures; then they begin anew
EDGES = (320, 640, 1280)
CLIP_SECONDS = 6

SCENES = (
    "testsrc2=s=1280x720:r=15",
    "gradients=s=1280x720:r=15:c0=0x203048:c1=0xd08a4a:c2=0x2f5d50:x0=0:y0=0:x1=1280:y1=720:speed=0.02",
    "mandelbrot=s=1280x720:r=15:start_scale=1.2:end_scale=0.3:maxiter=200",
    "smptehdbars=s=1280x720:r=15",
    "rgbtestsrc=s=1280x720:r=15",
)


def _filters(label: str) -> str:
    """The counter as camrig's own test pattern carries it (32 cells of 8 by 8, the highest bit first), and for people."""
    cells = ["drawbox=x=0:y=0:w=256:h=8:c=black:t=fill"]
    for bit in range(8):
        cells.append(f"drawbox=x={8 * (31 - bit)}:y=0:w=8:h=8:c=white:t=fill:enable='mod(floor(n/{2 ** bit}),2)'")
    words = f"drawtext=text='{label}  %{{n}}':x=40:y=h-90:fontsize=48:fontcolor=white:box=1:boxcolor=black@0.55:boxborderw=12"
    box = "drawtext=text=' ':x='mod(n*21,1180)':y=330:fontsize=60:box=1:boxcolor=white@0.9:boxborderw=24"
    return ",".join([*cells, box, words])


def make(folder: Path, cameras: int) -> None:
    """Makes what is missing in the folder."""
    for index in range(cameras):
        last = folder / f"{index}-{EDGES[0]}" / f"{LOOP:03d}.jpg"
        if last.exists():
            continue
        outputs = []
        names = [f"[s{edge}]" for edge in EDGES]
        graph = f"{SCENES[index % len(SCENES)]},{_filters(f'CAM {index + 1}')},split={len(EDGES)}{''.join(names)}"
        for edge in EDGES:
            (folder / f"{index}-{edge}").mkdir(parents=True, exist_ok=True)
            graph += f";[s{edge}]scale={edge}:-2:flags=area[o{edge}]"
            outputs += ["-map", f"[o{edge}]", "-frames:v", str(LOOP), "-q:v", "4", "-pix_fmt", "yuvj420p",
                        f"{folder}/{index}-{edge}/%03d.jpg"]
        _ffmpeg("-filter_complex", graph, *outputs)
    _upright(folder / "upright.jpg")
    _clip(folder / "clip.mov", "-c:v", "mjpeg", "-q:v", "6", "-pix_fmt", "yuvj420p")
    _clip(folder / "clip.mp4", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-movflags", "+faststart")


def _upright(path: Path) -> None:
    if not path.exists():
        _ffmpeg("-f", "lavfi", "-i", "testsrc=s=360x640", "-frames:v", "1", "-q:v", "4", "-pix_fmt", "yuvj420p", str(path))


def _clip(path: Path, *codec: str) -> None:
    if path.exists():
        return
    half = path.with_name(f"half-{path.name}")
    source = f"testsrc2=s=640x360:r={RATE}:d={CLIP_SECONDS}"
    _ffmpeg("-f", "lavfi", "-i", source, *codec, str(half))
    half.rename(path)


def _ffmpeg(*arguments: str) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments], check=True, timeout=300)


class Pictures:
    """The JPEGs in memory."""

    def __init__(self, folder: Path, cameras: int) -> None:
        make(folder, cameras)
        self.folder = folder
        self._pictures = {
            (index, edge): [(folder / f"{index}-{edge}" / f"{n:03d}.jpg").read_bytes() for n in range(1, LOOP + 1)]
            for index in range(cameras) for edge in EDGES
        }
        self._upright = (folder / "upright.jpg").read_bytes()

    def jpeg(self, camera: int, long_edge: int, number: int, is_upright: bool = False) -> bytes:
        if is_upright:
            return self._upright  # It stands still; only its form is looked at.
        fitting = [edge for edge in EDGES if edge <= long_edge] or [EDGES[0]]
        return self._pictures[camera, fitting[-1]][number % LOOP]
