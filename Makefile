# camrig. `make help` lists what can be made.

SWIFT ?= swift
# Where `make install` puts things; the Debian package uses the same rules.
DESTDIR ?=
prefix ?= /usr
sysconfdir ?= /etc
unitdir ?= $(or $(shell pkg-config --variable=systemdsystemunitdir systemd 2>/dev/null),/lib/systemd/system)
# The folder of the programs that install and deb take.
PROGRAMS ?= .build/release
# How often `make powercut` and `make killtest` do it.
N ?= 10
# Arguments for `make system-test`, for example ARGS='hotplug upgrade'.
ARGS ?=
# How long `make fuzz` lasts.
SECONDS ?= 60
# Arguments for `make test`, for example FILTER=MovieTests.
FILTER ?=

# Tests with cameras that go on in real time: beside all the others they would lose pictures on a small machine.
PACED = EmulatedCameraTests DaemonTests

# Many tests have an eye on real time; all of them at once on two cores would take it from each other.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8

DEBUG_TESTS = $(SWIFT) test $(if $(FILTER),--filter $(FILTER))
INSTALL = install -D -m 644
# Orphaned crash reporters keep pipes open and make a crashed test look like one that hangs.
export SWIFT_BACKTRACE = enable=no

.PHONY: all build help run deps swift page test web-test network-test fakecam system-test deb lint format man openrpc bench powercut killtest tsan fuzz install clean

all: build

help: ## this list
	@echo 'make [TARGET]:'
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r t d; do printf '  %-12s %s\n' "$$t" "$$d"; done

build: swift page ## the release programs, in .build/release (also plain `make`)
	$(SWIFT) build -c release --static-swift-stdlib

run: ## a rig to try: two test patterns and the cameras that are there, below build/run
	@packaging/deps.sh build
	@$(MAKE) --no-print-directory build
	@packaging/try.sh $(PROGRAMS)

deps: ## installs the Debian packages that building and testing need
	packaging/deps.sh build test package lint vm

swift:
	@command -v $(SWIFT) >/dev/null || { \
	  echo 'Swift is missing (6.0 or later). Get it by one of:' >&2; \
	  echo '  Debian 13 and later:  apt-get install swiftlang' >&2; \
	  echo '  Debian 12:            the "Debian 12" archive of https://www.swift.org/install/linux/, unpacked to /opt/swift,' >&2; \
	  echo '                        then: export PATH=/opt/swift/usr/bin:$$PATH' >&2; \
	  exit 1; }

test: swift page fakecam ## all tests that need no virtual machine (FILTER=Name for some)
	$(SWIFT) build --build-tests
ifeq ($(FILTER),)
	Tests/units.py $(SWIFT) $(foreach t,$(PACED),--skip $(t))
	Tests/units.py $(SWIFT) --no-parallel $(foreach t,$(PACED),--filter $(t))
	Tests/Web/run
	Tests/Web/against .build/debug
	Tests/Network/run .build/debug
else
	$(DEBUG_TESTS) --skip-build
endif

web-test: swift page ## the web page alone, in Chromium: against a mock of the rig, then against the rig
	$(SWIFT) build
	Tests/Web/run
	Tests/Web/against .build/debug

network-test: swift page fakecam ## bad networks alone, as root: slow, lossy and dead monitors beside a recording
	$(SWIFT) build
	Tests/Network/run .build/debug

page: ## puts the files of the web page on the list of what is built into camrigd
	@packaging/page-files.py

fakecam:
	@$(MAKE) --no-print-directory -C Tests/FakeCam udev

system-test: deb ## the .deb in a virtual machine with real kernel cameras (ARGS='boot upgrade')
	Tests/System/run.py $(ARGS)

powercut: deb ## N power cuts in the middle of takes, and what each one cost
	Tests/System/run.py powercut --powercuts $(N)

killtest: deb ## N times SIGKILL to the recorder in the middle of takes
	Tests/System/run.py kill --kills $(N)

deb: build ## build/camrig_<version>_<arch>.deb
	packaging/build-deb.sh $(PROGRAMS)

lint: ## style of Swift, scripts, man pages, units; imports that are not allowed
	packaging/lint.sh

format: swift ## brings the Swift sources into the form that lint asks for
	$(SWIFT) format -i -r -p Sources Tests Package.swift

man: ## takes the keys of etc/camrig.conf over into its manual page
	packaging/conf-keys.py

openrpc: swift ## writes docs/ref/openrpc.json anew, after a change of a method or an event
	CAMRIG_WRITE_OPENRPC=1 $(SWIFT) test --filter OpenRPCTests

bench: build fakecam ## camrig beside ffmpeg, a bare C loop, jpegtran and ustreamer on the same emulated cameras
	Tests/Bench/run
	Tests/Bench/previews
	Tests/Bench/upkeep
	Tests/Bench/turning

# One test after the other: under the sanitizer a small machine cannot keep the time of many at once. Left out are the
# tests that preload the camera emulator, a C library that is not instrumented, and one that counts pages of memory, which
# the sanitizer takes otherwise.
tsan: swift page ## the tests under Thread Sanitizer
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/tsan.supp" $(SWIFT) test --sanitize=thread --scratch-path .build/tsan \
	  --no-parallel $(if $(FILTER),--filter $(FILTER),--skip EmulatedCameraTests --skip keepsMemory)

fuzz: swift page ## SECONDS of mutated input for what takes bytes from strangers, under Address Sanitizer (Tests/Fuzz)
	Tests/Fuzz/run $(SECONDS)

install: ## puts everything below DESTDIR (a configuration that is there is kept)
	$(INSTALL) -m 755 $(PROGRAMS)/camrigd $(DESTDIR)$(prefix)/bin/camrigd
	$(INSTALL) -m 755 $(PROGRAMS)/camrigctl $(DESTDIR)$(prefix)/bin/camrigctl
	$(INSTALL) -m 755 $(PROGRAMS)/camrig-torch $(DESTDIR)$(prefix)/lib/camrig/camrig-torch
	$(INSTALL) -m 755 packaging/restart-when-idle $(DESTDIR)$(prefix)/lib/camrig/restart-when-idle
	$(INSTALL) -t $(DESTDIR)$(unitdir) systemd/*.service systemd/*.socket
	$(INSTALL) systemd/camrig.sysusers $(DESTDIR)$(prefix)/lib/sysusers.d/camrig.conf
	$(INSTALL) -t $(DESTDIR)$(prefix)/lib/systemd/catalog systemd/camrig.catalog
	install -d $(DESTDIR)$(sysconfdir)/camrig/camrig.conf.d
	[ -e $(DESTDIR)$(sysconfdir)/camrig/camrig.conf ] || \
	  $(INSTALL) -t $(DESTDIR)$(sysconfdir)/camrig etc/camrig.conf
	$(INSTALL) packaging/needrestart/camrig.conf $(DESTDIR)$(sysconfdir)/needrestart/conf.d/camrig.conf
	$(INSTALL) -t $(DESTDIR)$(prefix)/share/bash-completion/completions packaging/completion/camrigctl
	$(INSTALL) -t $(DESTDIR)$(prefix)/share/man/man1 docs/man/camrigctl.1
	$(INSTALL) -t $(DESTDIR)$(prefix)/share/man/man5 docs/man/camrig.conf.5
	$(INSTALL) -t $(DESTDIR)$(prefix)/share/man/man8 docs/man/camrigd.8
	$(INSTALL) -t $(DESTDIR)$(prefix)/share/camrig docs/ref/openrpc.json
	$(INSTALL) -t $(DESTDIR)$(prefix)/share/doc/camrig/examples packaging/examples/*.conf

clean: ## removes everything that was built
	rm -rf .build build
	$(MAKE) -C Tests/FakeCam clean
