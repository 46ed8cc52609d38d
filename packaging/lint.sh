#!/bin/bash
# Everything that can be held against the sources without building them. Says all it finds; exit 1 if anything.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
failed=0

check() { # WHAT COMMAND...: the command is silent if all is well
  local what=$1 said
  shift
  if said=$("$@" 2>&1); then echo "ok    $what"; else
    failed=1
    echo "FAIL  $what"
    printf '%s\n' "$said" | sed 's/^/      /' | tail -40
  fi
}

# Lines of the Swift sources that match; a line may say why it is right: `lint: allow`.
no_line() { # PATTERN FOLDER...
  local pattern=$1
  shift
  ! grep -rnE --include='*.swift' "$pattern" "$@" | grep -v 'lint: allow'
}

scripts() {
  git ls-files | while read -r file; do
    case $file in
      *.sh) echo "$file" ;;
      *.swift | *.py | *.c | *.h | *.md) ;;
      *) head -c 20 "$file" 2>/dev/null | grep -qE '^#!.*[/ ](ba)?sh' && echo "$file" ;;
    esac
  done
}

shell_scripts() {
  local all
  # The hash of build-image.sh is the key of everybody's cached image, so it carries no remarks for a linter.
  mapfile -t all < <(scripts | grep -v '^Tests/System/build-image.sh$')
  shellcheck -S warning "${all[@]}" && shellcheck -S error Tests/System/build-image.sh &&
    shellcheck -s bash packaging/completion/camrigctl
}

python_scripts() { # parsed, with no file left behind
  git ls-files '*.py' | while read -r file; do
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$file" || exit 1
  done
}

manual_pages() { # mandoc says nothing and fails where a page has a fault
  local page
  for page in docs/man/*; do mandoc -T lint -W warning "$page" || return 1; done
}

one_version() {
  local version
  version=$(cat VERSION)
  grep -q "\"$version\"" Sources/CamrigModel/Version.swift ||
    { echo "VERSION says $version, Sources/CamrigModel/Version.swift does not"; return 1; }
  grep -q "^## $version" CHANGELOG.md || { echo "CHANGELOG.md has no heading for $version"; return 1; }
}

sandbox() {
  local unit
  for unit in camrig camrig-torch; do
    systemd-analyze security --offline=true --no-pager --threshold=20 "systemd/$unit.service" | tail -1 || return 1
  done
}

units() {
  # Programs and manual pages are not installed where this runs.
  ! systemd-analyze verify systemd/*.service systemd/*.socket 2>&1 |
    grep -vE 'is not executable: No such file|Command .man .* failed with code'
}

# Every kind of journal line has its entry in the catalog, and the other way round.
catalog() {
  diff <(grep -oE '"[0-9a-f]{32}"' Sources/DaemonKit/LogEvent.swift | tr -d '"' | sort) \
    <(sed -nE 's/^-- ([0-9a-f]{32})$/\1/p' systemd/camrig.catalog | sort)
}

command -v swift >/dev/null && check 'Swift: form' swift format lint -r -p --strict Sources Tests Package.swift
check 'Swift: no Foundation, which brings 50 MB of ICU' no_line '^ *(@[a-z]+ +)?import Foundation *$' Sources Tests
check 'Swift: nothing is public' no_line '^ *(public|open) +(final |static |override )*(var|let|func|class|struct|enum|actor|protocol|init|extension|typealias|subscript) ?' Sources
check 'Swift: no fatalError, no try!, no unfinished work' no_line 'fatalError\(|try!|TODO|FIXME' Sources
check 'shell scripts' shell_scripts
check 'Python scripts' python_scripts
check 'manual pages' manual_pages
check 'camrig.conf(5) has the keys of camrig.conf (else: make man)' packaging/conf-keys.py --check
check 'one version' one_version
check 'units' units
check 'the list of the web page'"'"'s files' packaging/page-files.py --check
check 'exposure of the services at most 2.0' sandbox
check 'the journal catalog is complete' catalog
if compgen -G 'build/camrig_*.deb' >/dev/null; then
  check 'lintian' lintian --fail-on error,warning build/camrig_*.deb
fi
exit $failed
