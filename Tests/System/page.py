"""The monitor's page in Chromium, outside of the machine, against the installed service behind the forwarded port: the
scenarios of Tests/Web that any rig can do."""
import os
import shlex
import subprocess
import sys

from machine import HERE

WEB = os.path.join(os.path.dirname(HERE), 'Web')


def page(s):
    m, rig = s.machine, s.rig
    vm = shlex.join([f'{HERE}/vm.sh', '--name', m.name, 'run'])
    artefacts = os.path.join(os.path.dirname(os.path.dirname(HERE)), 'build', 'web-system')

    def scenario(name):
        def played():
            pid = rig.pid()
            done = subprocess.run(
                [sys.executable, f'{WEB}/run', '--url', f'https://127.0.0.1:{m.port()}', '--artefacts', artefacts, '--only', name,
                 '--pair', f"{vm} 'camrigctl pair --role {{role}}'",
                 '--stop', f"{vm} 'systemctl stop camrig'",
                 '--start', f"{vm} 'systemctl start camrig'"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=400)
            said = done.stdout.strip()
            assert done.returncode == 0 and f'ok    {name}' in said, said
            return pid
        return played

    def whole():
        before = {take['id'] for take in rig.takes()}
        pid = scenario('a_whole_session')()
        rig.wait()
        assert rig.pid() != pid, 'the service was not restarted'
        new = [take['id'] for take in rig.takes() if take['id'] not in before]
        assert len(new) == 1, new
        shown = rig.check_take(new[0], s.work)
        assert shown.stop.get('cause') == 'requested', shown.raw

    s.test('two browsers: paired, moving previews, record, play, download, and over a restart of the service', whole)
    s.test('a viewer only looks', scenario('a_viewer_only_looks'))
    s.test('a wrong code is refused, and a stranger gets nothing', scenario('a_wrong_code'))
    s.test('Chromium that knows the rig\'s authority trusts it', scenario('the_rigs_own_authority'))
