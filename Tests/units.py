#!/usr/bin/env python3
"""The Swift tests of a build that is there; those that fail are run once more, alone, and it is said.

    units.py SWIFT OPTION...

Many tests keep real time beside others, on machines that others use as well. What fails alone, too, is broken.
"""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

MOST = 10


def failures(report):
    """The tests that failed, as --filter takes them. None: nobody knows, the tests ended by themselves."""
    found = []
    try:
        cases = xml.etree.ElementTree.parse(report).iter('testcase')
        for case in cases:
            if case.find('failure') is not None or case.find('error') is not None:
                suite = case.get('classname').replace('.', '[./]')
                found.append(f'^{suite}/{re.escape(case.get("name"))}')
    except (OSError, xml.etree.ElementTree.ParseError):
        return None
    return found


def main(swift, *options):
    with tempfile.TemporaryDirectory() as work:
        command = [swift, 'test', '--skip-build', '--xunit-output', f'{work}/tests.xml']
        status = subprocess.run([*command, *options]).returncode
        if status == 0:
            return 0
        failed = failures(f'{work}/tests-swift-testing.xml')
        if not failed or len(failed) > MOST:
            return status
        print(f'=== {len(failed)} failed; once more, alone: {" ".join(failed)}', flush=True)
        filters = [word for name in failed for word in ('--filter', name)]
        done = subprocess.run([*command, '--no-parallel', *filters], stdout=subprocess.PIPE, text=True)
        print(done.stdout, flush=True)
        ran = re.search(r'Test run with (\d+) test', done.stdout)
        if done.returncode == 0 and ran and int(ran.group(1)) >= len(failed):
            return 0
        return done.returncode or 1


if __name__ == '__main__':
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.exit(main(*sys.argv[1:]))
