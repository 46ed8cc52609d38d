#!/usr/bin/env python3
"""Lists the files of Sources/Monitor/Web in Sources/CWebPage/files.c, from which they get into the program.

The list names each file's digest, so that the program is compiled anew whenever one has changed.
"""
import hashlib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEB = ROOT / 'Sources/Monitor/Web'
TARGET = ROOT / 'Sources/CWebPage/files.c'


def main():
    names = sorted(str(path.relative_to(WEB)) for path in WEB.rglob('*') if path.is_file())
    text = '/* Made by packaging/page-files.py (make page). */\n#include "CWebPage.h"\n\n'
    text += '/* The assembler finds them by the search path of headers. */\n'
    text += ('#define FILE_BYTES(symbol, name) \\\n'
             '  __asm__(".section .rodata\\n" #symbol ":\\n.incbin \\"" name "\\"\\n" #symbol "_end:\\n.byte 0\\n.previous"); \\\n'
             '  extern const unsigned char symbol[], symbol##_end[]\n\n')
    for number, name in enumerate(names):
        digest = hashlib.sha256((WEB / name).read_bytes()).hexdigest()[:16]
        text += f'FILE_BYTES(cwp_{number}, "{name}"); /* {digest} */\n'
    text += '\nstatic const cwp_file files[] = {\n'
    for number, name in enumerate(names):
        text += f'  {{"{name}", cwp_{number}, cwp_{number}_end}},\n'
    text += f'}};\n\nconst cwp_file *cwp_files(int *count) {{\n  *count = {len(names)};\n  return files;\n}}\n'
    if '--check' in sys.argv:
        return 0 if TARGET.exists() and TARGET.read_text() == text else 1
    if not TARGET.exists() or TARGET.read_text() != text:
        TARGET.write_text(text)
    return 0


if __name__ == '__main__':
    sys.exit(main())
