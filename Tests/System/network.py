"""The rig in the network, seen from outside of the machine: pairing, TLS, previews, takes, and how it is found."""
import concurrent.futures
import json
import os
import statistics
import threading
import time

from laptop import Laptop
from machine import wait_until
from rig import Clip, check_clip

# 2 Mbit/s, 50 ms each way, 1 % lost: what leaves the guest at once, what comes by way of an ifb device.
SLOW = '''
modprobe -a ifb sch_netem sch_ingress act_mirred cls_matchall
link=$(ip -o route get 10.0.2.2 | sed 's/.* dev \\([^ ]*\\).*/\\1/')
ip link add trouble type ifb && ip link set trouble up
tc qdisc add dev $link root netem delay 50ms loss 1% rate 2mbit limit 100
tc qdisc add dev $link ingress
tc filter add dev $link ingress matchall action mirred egress redirect dev trouble
tc qdisc add dev trouble root netem delay 50ms loss 1% rate 2mbit limit 100
'''
FAST = '''
link=$(ip -o route get 10.0.2.2 | sed 's/.* dev \\([^ ]*\\).*/\\1/')
tc qdisc del dev $link root; tc qdisc del dev $link ingress; ip link del trouble; true
'''


def network(s):
    m, rig = s.machine, s.rig
    kept = {}
    laptop = Laptop(m.port(), s.work)

    # --- from outside ---

    def paired():
        offer = rig.ctl('pair')
        laptop.trust(offer['fingerprint'])
        laptop.pair(offer['code'], 'Laptop')
        kept['fingerprint'] = offer['fingerprint']

    def stranger():
        other = Laptop(m.port(), s.work)
        status, answer = other.post('/rpc', {'jsonrpc': '2.0', 'id': 1, 'method': 'rig.status'})
        assert status in (401, 403), (status, answer)
        status, page = other.get('/')
        assert status == 200 and b'<html' in page.lower(), (status, page[:200])

    def sees_state():
        cameras = laptop.state()['cameras']
        assert set(s.twins) <= set(cameras), cameras.keys()

    def sees_pictures():
        seen = laptop.watch(s.twins, 12)
        for camera, pictures in seen.items():
            different = len({picture.jpeg for picture in pictures})
            print(f'      {camera}: {len(pictures)} pictures, {different} of them different')
            assert all(picture.jpeg.startswith(b'\xff\xd8') for picture in pictures)
            assert different >= 5, f'{camera} does not move'
            assert [picture.sequence for picture in pictures] == list(range(len(pictures))), camera

    def takes_home():
        take = laptop.call('recording.start', cameras=s.twins)['take']
        time.sleep(4)
        laptop.call('recording.stop')
        shown = laptop.call('take.get', take=take)
        clips = [Clip(clip) for camera in shown['cameras'] for clip in camera['clips']]
        assert len(clips) == 2, shown
        for clip in clips:
            path = f'{s.work}/{clip.file}'
            laptop.download(f'/takes/{take}/{clip.file}', path)
            check_clip(path, clip)
            os.remove(path)

    # --- being found ---

    def found(host='camrig-vm.local'):
        """The rig's entry in what the network says, once it is there under that host."""
        def look():
            said = m.run('avahi-browse --resolve --parsable --terminate _camrig._tcp')
            for line in said.splitlines():
                parts = line.split(';', 9)
                if parts[0] == '=' and parts[6] == host:
                    return parts
            raise ValueError(said)
        return wait_until(look, 60, f'the entry of {host}')

    def announced():
        entry = found()
        session = json.loads(laptop.get('/session')[1])['rig']
        assert entry[8] == '8470' and f'"id={session["id"]}"' in entry[9], entry
        assert f'"fingerprint={kept["fingerprint"]}"' in entry[9] and '"paired-only=1"' in entry[9], entry
        assert ';_https._tcp;' in m.run('avahi-browse --parsable --no-db-lookup --terminate _https._tcp')
        shown = rig.ctl('status')['network']['announcement']
        assert shown['host'] == 'camrig-vm.local' and not shown['message'], shown

    def restarted():
        pid = rig.pid()
        m.run('systemctl restart avahi-daemon')
        began = time.monotonic()
        wait_until(lambda: rig.ctl('status')['network']['announcement'].get('name'), 60, 'it is announced', 0.2)
        print(f'      announced {time.monotonic() - began:.1f} s after avahi was back')
        found()
        assert rig.pid() == pid, 'the service was restarted'

    def renamed():
        pid, identifier = rig.pid(), json.loads(laptop.get('/session')[1])['rig']['id']
        m.run('hostnamectl set-hostname studio')
        # The rig's name is the machine's, and the kernel tells of it; the host in mDNS is avahi's.
        wait_until(lambda: rig.ctl('status')['network']['announcement'].get('name') == 'studio', 60, 'its new name')
        m.run('systemctl restart avahi-daemon')
        entry = found('studio.local')
        assert entry[3] == 'studio' and f'"id={identifier}"' in entry[9], entry
        there = Laptop(m.port(), s.work, host='studio.local')
        there.token = laptop.token
        wait_until(lambda: there.get('/session')[0] == 200, 60, 'the certificate has the new name')
        m.run('hostnamectl set-hostname camrig-vm; systemctl restart avahi-daemon')
        found()
        assert rig.pid() == pid, 'the service was restarted'

    def without():
        m.run('systemctl mask --runtime avahi-daemon.socket avahi-daemon && systemctl stop avahi-daemon.socket avahi-daemon')
        wait_until(lambda: 'avahi-daemon' in rig.ctl('status')['network']['announcement']['message'], 60, 'it says so')
        assert laptop.get('/session')[0] == 200
        m.run('systemctl unmask --runtime avahi-daemon.socket avahi-daemon && systemctl start avahi-daemon')
        found()

    # --- systemd's socket ---

    def connects(seconds):
        """One connection after the other while the service is restarted: (how many, failures, longest wait)."""
        lost, waits = [], []
        end = time.monotonic() + seconds
        restart = threading.Thread(target=lambda: m.run('systemctl restart camrig'))
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            def call():
                began = time.monotonic()
                done = laptop.connect_once()
                waits.append(time.monotonic() - began)
                if done:
                    lost.append(done)
            running = [pool.submit(call)]
            restart.start()
            while time.monotonic() < end or restart.is_alive():
                running.append(pool.submit(call))
                time.sleep(0.15)
        restart.join()
        for done in running:
            done.result()
        return len(waits), lost, max(waits)

    def refuses_without():
        count, lost, _ = connects(6)
        print(f'      without camrig.socket {len(lost)} of {count} connections were lost')
        assert lost, 'the restart was not noticed: this test proves nothing'
        rig.wait()

    def keeps_port():
        m.run('systemctl stop camrig; systemctl enable --now camrig.socket; systemctl start camrig')
        rig.wait()
        assert m.run('ss -Hltnp sport = :8470 | grep -c systemd').strip() == '1', m.run('ss -Hltnp')
        for _ in range(3):
            pid = rig.pid()
            count, lost, longest = connects(6)
            print(f'      {count} connections, {len(lost)} lost, the longest waited {longest:.1f} s')
            assert not lost, lost
            assert rig.pid() != pid
        assert 'https://camrig-vm.local:8470/' in rig.ctl('status')['network']['urls']

    def activates():
        m.run('systemctl stop camrig', check=False)
        assert laptop.get('/session')[0] == 200
        m.run('systemctl disable --now camrig.socket; systemctl restart camrig')
        rig.wait()
        assert laptop.get('/session')[0] == 200

    # --- a bad way ---

    def slow():
        camera = s.twins[0]
        # The rig's clock on ours: the pictures that came quickest on a good way were on it for next to no time.
        offset = min(p.moment - p.taken - p.age for p in laptop.watch([camera], 8)[camera])
        m.run(SLOW)
        try:
            pictures = laptop.watch([camera], 60)[camera]
        finally:
            m.run(FAST, timeout=600)
        # The rig needs to see what the way carries.
        steady = [p for p in pictures if p.moment - pictures[0].moment > 10]
        ages = sorted(p.moment - p.taken - offset for p in steady)
        third = len(steady) // 3
        halves = [statistics.median(p.moment - p.taken - offset for p in part)
                  for part in (steady[:third], steady[-third:])]
        median, late = statistics.median(ages), ages[int(len(ages) * 0.95)]
        sizes = sorted({p.width for p in steady})
        print(f'      {len(steady)} pictures in 50 s, {sizes} wide: median {median * 1e3:.0f} ms, '
              f'p95 {late * 1e3:.0f} ms; first third {halves[0] * 1e3:.0f} ms, last {halves[1] * 1e3:.0f} ms')
        assert len(steady) > 100, len(steady)
        assert halves[1] < halves[0] + 0.15, 'pictures get older and older'
        assert median <= 0.3 and late <= 0.8, 'pictures are old'

    s.need('paired by TLS, with the authority fetched and its key compared', paired)
    s.test('a stranger gets the page to pair, and nothing else', stranger)
    s.test('it sees the state of the rig', sees_state)
    s.test('it sees two moving previews at once', sees_pictures)
    s.test('it records, stops, downloads the take, and FFmpeg reads every picture', takes_home)
    s.test('avahi finds the rig, with its ID and key', announced)
    s.test('and again when avahi was restarted', restarted)
    s.test('and under the new name when the machine is called otherwise; so does the certificate', renamed)
    s.test('without avahi it says so and serves', without)
    s.test('a restart refuses connections where the service has its own socket', refuses_without)
    s.test('with camrig.socket none is lost, three restarts over', keeps_port)
    s.test('a connection starts the service; without camrig.socket it has its own port again', activates)
    s.test('on 2 Mbit/s, 50 ms each way, 1 % lost: pictures stay fresh', slow)
