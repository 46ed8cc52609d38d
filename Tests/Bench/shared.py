"""What both benchmarks need."""
import os
import pathlib
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FAKE = ROOT / 'Tests/FakeCam/build'
BINARIES = pathlib.Path(os.environ.get('CAMRIG_BIN', ROOT / '.build/release'))
PICTURE_BYTES = 200_000


def sh(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options).stdout


def make_pictures(folder):
    """Eight 1080p JPEGs of about 200 KB with something in them."""
    folder.mkdir()
    source = 'testsrc2=size=1920x1080:rate=1,noise=alls=22:allf=t'
    for quality in range(2, 32):
        sh('ffmpeg', '-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-frames:v', '1', '-q:v', str(quality),
           '-pix_fmt', 'yuvj422p', str(folder / 'try.jpg'))
        if (folder / 'try.jpg').stat().st_size <= PICTURE_BYTES:
            break
    (folder / 'try.jpg').unlink()
    sh('ffmpeg', '-nostdin', '-v', 'error', '-f', 'lavfi', '-i', source, '-frames:v', '8', '-q:v', str(quality),
       '-pix_fmt', 'yuvj422p', str(folder / '%d.jpg'))
    return statistics.mean(path.stat().st_size for path in folder.glob('*.jpg'))


def configuration(path, pictures, count):
    text = ''
    for i in range(count):
        text += (f'[cam{i}]\npath = /dev/video{i}\ncard = Bench {i}\nbus_info = usb-0000:00:14.0-{i + 1}\n'
                 f'serial = BENCH{i}\nframes = {pictures}\nformat = MJPG 1920x1080 30\n\n')
    path.write_text(text)
