#!/bin/bash
# Makes build/camrig_<version>_<arch>.deb (and its -dbgsym) of the release programs that `make` has built.
#
#   packaging/build-deb.sh [FOLDER OF THE PROGRAMS]     default: .build/release
#
# The package is built in a tree of its own below build/deb, so the checkout gets no debian/ and no files of root's.
set -euo pipefail
export LC_ALL=C.UTF-8

root=$(cd "$(dirname "$0")/.." && pwd)
programs=$(cd "$root" && realpath "${1:-.build/release}")
version=$(cat "$root/VERSION")
for program in camrigd camrigctl camrig-torch; do
  [ -x "$programs/$program" ] || { echo "build-deb.sh: $programs/$program is missing; build it with: make" >&2; exit 1; }
done
command -v dh >/dev/null || { echo "build-deb.sh: debhelper is missing; install it with: make deps" >&2; exit 1; }

# The package's date is the commit's: the same sources give the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

stage=$root/build/deb/camrig-$version
rm -rf "$root/build/deb"
mkdir -p "$stage/built"
for part in Makefile README.md CHANGELOG.md LICENSE VERSION etc systemd docs packaging; do cp -r "$root/$part" "$stage/"; done
cp -r "$root/packaging/debian" "$stage/debian"
cp "$programs/camrigd" "$programs/camrigctl" "$programs/camrig-torch" "$stage/built/"
cat > "$stage/debian/changelog" <<CHANGELOG
camrig ($version) unstable; urgency=medium

  * Release $version. What it brings stands in /usr/share/doc/camrig/CHANGELOG.md.

 -- camrig developers <camrig@users.noreply.github.com>  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG

# -d: the programs are built, so what builds them need not be there.
(cd "$stage" && dpkg-buildpackage -b -us -uc -d -ui >"$root/build/deb/build.log" 2>&1) ||
  { tail -40 "$root/build/deb/build.log" >&2; exit 1; }
rm -f "$root"/build/camrig_*.deb "$root"/build/camrig-dbgsym_*.deb
mv "$root"/build/deb/*.deb "$root/build/"
ls "$root"/build/camrig_*.deb
