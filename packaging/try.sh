#!/bin/bash
# Starts a rig out of the source tree: two test patterns and whatever cameras there are; no root needed.
#
#   packaging/try.sh [FOLDER OF THE PROGRAMS]           default: .build/release
set -euo pipefail
cd "$(dirname "$0")/.."
programs=${1:-.build/release}
state=$PWD/build/run/state
runtime=$PWD/build/run/runtime
# A Unix socket's path has room for 107 bytes.
if [ ${#runtime} -gt 90 ]; then runtime=/tmp/camrig-run-$(id -u); fi
mkdir -p "$state" "$runtime"
chmod 700 "$runtime"

configuration=etc/camrig.conf
if [ -e build/run/camrig.conf ]; then configuration=build/run/camrig.conf; fi
if [ "$(id -u)" != 0 ] && ! id -nG | grep -qw video && compgen -G '/dev/video*' >/dev/null; then
  echo "Your user may not open the cameras here; to change that: sudo adduser $USER video, and log in again."
fi
cat <<TEXT

The rig runs until you press Ctrl-C. Its files are in $state, its takes in $state/takes.
Its configuration is $configuration (a copy at build/run/camrig.conf would be used instead). In another terminal:

  export CAMRIG_SOCKET=$runtime/control.sock PATH=$(cd "$programs" && pwd):\$PATH
  camrigctl cameras                 what was found
  camrigctl record start            all cameras, one take
  camrigctl watch                   what happens
  camrigctl record stop
  camrigctl pair                    a code for one more browser
  camrigctl takes                   and then: camrigctl take show ID, camrigctl take verify ID

TEXT
# A browser on this machine needs no TLS. The page pairs itself with the link.
(
  for _ in $(seq 50); do
    sleep 0.2
    link=$("$programs/camrigctl" --socket "$runtime/control.sock" pair --role admin --json 2>/dev/null |
      sed -n 's/.*"\(http:[^"]*\)".*/\1/p' | head -1)
    [ -z "$link" ] || { printf '\nThe page, with a code that is good once and for ten minutes: %s\n\n' "$link"; break; }
  done
) &
exec "$programs/camrigd" --config "$configuration" --state-dir "$state" --runtime-dir "$runtime" --demo 2 \
  --listen none --plain-listen 127.0.0.1:8471
