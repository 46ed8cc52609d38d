#!/bin/bash
# Installs what is missing of the Debian packages that the given purposes need; without root it says which they are.
#
#   packaging/deps.sh build|test|package|lint|vm ...
set -euo pipefail

# shellcheck disable=SC2034 # the lists are read by name below
{
  build=(build-essential pkg-config libudev-dev libsystemd-dev libsqlite3-dev libturbojpeg0-dev libxxhash-dev
    libavcodec-dev libavutil-dev libswscale-dev libswresample-dev libwebsockets-dev libssl-dev libasound2-dev
    libavahi-client-dev libqrencode-dev)
  # Other people's programs read our files and talk to our server; umockdev plays udev; Chromium shows the page;
  # avahi announces the rig; zbar reads QR codes.
  test=("${build[@]}" libumockdev-dev umockdev ffmpeg gstreamer1.0-tools gstreamer1.0-plugins-good gstreamer1.0-libav
    mediainfo melt curl openssl iproute2 python3-websockets python3-aiohttp python3-jsonschema python3-prometheus-client chromium
    chromium-driver nodejs ustreamer avahi-daemon avahi-utils dbus systemd
    libimage-exiftool-perl jpeginfo libjpeg-turbo-progs libnss3-tools zbar-tools)
  package=("${build[@]}" debhelper dpkg-dev fakeroot lintian)
  lint=(shellcheck mandoc systemd lintian git)
  vm=(qemu-system-x86 qemu-utils mmdebstrap e2fsprogs cpio xz-utils zstd openssh-client python3 ffmpeg strace
    curl openssl python3-websockets chromium chromium-driver libnss3-tools zbar-tools)
}

wanted=()
for purpose; do
  case $purpose in
    build | test | package | lint | vm) declare -n list=$purpose; wanted+=("${list[@]}") ;;
    *) echo "deps.sh: no such purpose: $purpose (build, test, package, lint, vm)" >&2; exit 64 ;;
  esac
done

missing=()
for name in $(printf '%s\n' "${wanted[@]}" | sort -u); do
  dpkg-query -W -f '${db:Status-Abbrev}' "$name" 2>/dev/null | grep -q '^ii' || missing+=("$name")
done
if [ ${#missing[@]} = 0 ]; then exit 0; fi

install=(apt-get install -y --no-install-recommends "${missing[@]}")
if [ "$(id -u)" != 0 ]; then
  if [ -t 0 ] && command -v sudo >/dev/null; then
    echo "Missing: ${missing[*]}"
    exec sudo "${install[@]}"
  fi
  echo "deps.sh: missing packages; as root: ${install[*]}" >&2
  exit 69
fi
echo "Installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -q </dev/null
"${install[@]}" -q </dev/null
