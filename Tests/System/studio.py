"""A camera with everything on it for the sections `controls`, `torch` and `sound`: controls, a microphone and a lamp, all
one USB device."""
from machine import wait_until

OPTIONS = '--serial STUDIO --label Studio --formats mjpeg --sizes 640x480 --fps 15 --mic --lamp'


class Studio:
    def __init__(self, s):
        self.machine, self.rig = s.machine, s.rig
        self.machine.cameras(f'usb studio {OPTIONS}')
        self.id = wait_until(self._found, 90, 'the camera with everything')

    def _found(self):
        return next((id for id, camera in self.rig.cameras().items() if camera.serial == 'STUDIO' and camera.present), None)

    def tell(self, words):
        return self.machine.cameras(f'studio {words}')

    def status(self):
        """What the device itself says, by name: its controls, `lamp 1`, …"""
        said = {}
        for line in self.tell('status').splitlines():
            words = line.split()
            name = ' '.join(words[:2]) if words[0] == 'lamp' else words[0]
            said[name] = ' '.join(words[len(name.split()):])
        return said

    def replug(self, pause=0):
        self.unplug()
        self.plug()

    def unplug(self):
        self.tell('unplug')
        self.rig.wait_for_state(self.id, ['offline'])

    def plug(self):
        self.machine.cameras('studio plug && /opt/vmrig/cameras.sh nodes studio')
        wait_until(self._found, 90, 'the camera is back')


def studio(s):
    """The one of this session."""
    if not s.studio:
        s.studio = Studio(s)
    return s.studio
