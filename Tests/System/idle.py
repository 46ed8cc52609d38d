"""What a rig costs when nobody wants anything of it."""
import time

SECONDS = 60
# Of one core. The guest is slower by so much at least (rather nine times) than the machine it runs on.
MOST, SLOWER = 0.005, 4


def idle(s):
    m, rig = s.machine, s.rig

    def spent():
        """Seconds of CPU of the whole service, to the microsecond; and the moment, by the same clock."""
        said = m.run('head -1 /sys/fs/cgroup/system.slice/camrig.service/cpu.stat; cat /proc/uptime').split()
        return int(said[1]) / 1e6, float(said[2])

    def measured():
        states = rig.cameras()
        present = [camera for camera in states.values() if camera.present]
        assert len(present) >= 4, present
        for camera in present:
            rig.wait_for_state(camera.id, ['idle'])
        # What the last question cost is not of the rig's own will.
        time.sleep(5)
        before, began = spent()
        time.sleep(SECONDS)
        after, ended = spent()
        share = (after - before) / (ended - began)
        print(f'      {(after - before) * 1e3:.0f} ms of CPU in {ended - began:.0f} s with {len(present)} cameras: '
              f'{share * 100:.2f} % of a core of this slow machine')
        assert share <= MOST * SLOWER, f'{share * 100:.2f} % of a core'

    s.test(f'{SECONDS} s with four cameras and nobody watching', measured)
