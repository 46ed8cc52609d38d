#!/usr/bin/env python3
"""Writes the keys of etc/camrig.conf, with their words and defaults, into docs/man/camrig.conf.5.

    conf-keys.py [--check]      --check: changes nothing, fails with a diff where the page is behind
"""
import difflib
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE, FILE = f'{ROOT}/docs/man/camrig.conf.5', f'{ROOT}/etc/camrig.conf'
BEGIN, END = '.\\" BEGIN KEYS\n', '.\\" END KEYS\n'


def troff(text):
    text = text.replace('\\', '\\\\').replace('-', '\\-')
    return '\\&' + text if text[:1] in ".'" else text


def sentences(words):
    """One a line, as manual pages are written."""
    return [troff(line) for line in ' '.join(words).replace('. ', '.\n').split('\n')]


def keys(lines):
    """The page's part: a comment before a section or a key belongs to it."""
    out, comment = [], []
    for line in map(str.strip, lines):
        if line.startswith('[') and line.endswith(']'):
            out += [f'.SS {line}', *sentences(comment)]
            comment = []
        elif line.startswith('#') and not line.startswith('# ') and '=' in line:
            key, value = line[1:].split('=', 1)
            out += ['.TP', f'.BR {key} =', *sentences(comment)]
            out += ['Default:', f'.BR "{troff(value)}" .'] if value else ['Empty by default.']
            comment = []
        elif line.startswith('#'):
            comment.append(line[1:].strip())
        else:
            comment = []
    return '\n'.join(out) + '\n'


def main():
    old = open(PAGE).read()
    head, rest = old.split(BEGIN)
    new = head + BEGIN + keys(open(FILE)) + END + rest.split(END)[1]
    if '--check' in sys.argv[1:]:
        sys.stdout.writelines(difflib.unified_diff(
            old.splitlines(True), new.splitlines(True), 'camrig.conf.5', 'what etc/camrig.conf says (make man)', n=0))
        return old != new
    open(PAGE, 'w').write(new)


if __name__ == '__main__':
    sys.exit(main())
