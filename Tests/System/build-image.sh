#!/bin/bash
# Builds (or finds in the cache) the virtual machine's disk image, and prints
# the folder that holds it on stdout; everything else goes to stderr.
#
#   build-image.sh [--suite bookworm|trixie] [--force]
#
# The cache is $CAMRIG_VM_CACHE (default ~/.cache/camrig-vm); its key is a hash
# of this script and of $CAMRIG_VM_EXTRA, more packages for the image (a,b,c).
# Needs on the host (root): mmdebstrap qemu-utils qemu-system-x86 e2fsprogs cpio xz-utils zstd
# openssh-client python3.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
suite=bookworm
force=0
while [ $# -gt 0 ]; do
  case $1 in
    --suite) suite=$2; shift 2 ;;
    --force) force=1; shift ;;
    *) echo "build-image.sh: unknown argument: $1" >&2; exit 2 ;;
  esac
done
case $suite in bookworm|trixie) ;; *) echo "build-image.sh: no such suite here: $suite" >&2; exit 2 ;; esac

cache=${CAMRIG_VM_CACHE:-$HOME/.cache/camrig-vm}
mirror=${CAMRIG_VM_MIRROR:-http://deb.debian.org/debian}
security=${CAMRIG_VM_SECURITY:-http://deb.debian.org/debian-security}
key=$( (cat "$here/build-image.sh"; echo "${CAMRIG_VM_EXTRA-}") | sha256sum | cut -c1-12)
dir=$cache/$suite-$key
if [ "$force" = 0 ] && [ -e "$dir/ok" ]; then echo "$dir"; exit 0; fi

for tool in mmdebstrap qemu-img mke2fs cpio xz zstd ssh-keygen python3; do
  command -v $tool >/dev/null || { echo "build-image.sh: $tool is missing on the host" >&2; exit 1; }
done
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
if [ "$force" = 0 ] && [ -e "$dir/ok" ]; then echo "$dir"; exit 0; fi
rm -rf "$dir"
mkdir -p "$dir"
tmp=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
started=$(date +%s)
root=$tmp/root

packages=systemd,systemd-sysv,udev,dbus,kmod,procps,iproute2,linux-image-amd64
packages+=,openssh-server,ca-certificates,curl,python3,busybox-static
packages+=,avahi-daemon,avahi-utils,v4l-utils,alsa-utils,ffmpeg
# What camrig's own package depends on: the guest has no network to fetch it from.
packages+=,libsqlite3-0,libturbojpeg0,libxxhash0,libqrencode4,adduser,strace
case $suite in
  bookworm) packages+=,libwebsockets17 ;;
  *) packages+=,libwebsockets19t64 ;;
esac
packages+=${CAMRIG_VM_EXTRA:+,$CAMRIG_VM_EXTRA}

# What dpkg leaves out: documentation, Mesa's drivers (ffmpeg pulls them in by
# way of SDL) and kernel modules for hardware that QEMU does not show.
excludes=()
for path in '/usr/share/man/*' '/usr/share/locale/*' '/usr/share/info/*' \
    '/usr/lib/x86_64-linux-gnu/libLLVM*' '/usr/lib/x86_64-linux-gnu/dri/*' \
    '/usr/lib/x86_64-linux-gnu/libgallium*' '/usr/share/fonts/*'; do
  excludes+=(--dpkgopt="path-exclude=$path")
done
for sub in gpu net/wireless net/ethernet scsi infiniband staging iio net/wwan \
    media/dvb-frontends media/pci hwmon ata; do
  excludes+=(--dpkgopt="path-exclude=/lib/modules/*/kernel/drivers/$sub/*")
  excludes+=(--dpkgopt="path-exclude=/usr/lib/modules/*/kernel/drivers/$sub/*")
done

{
  ssh-keygen -q -t ed25519 -N '' -C camrig-vm -f "$dir/id_ed25519"

  # Debian's own initramfs takes longer to build and to boot than the whole
  # rest; the one made below does what this machine needs.
  cat > "$tmp/setup.sh" <<'HOOK'
set -eu
mkdir -p "$1/etc/initramfs-tools"
echo 'update_initramfs=no' > "$1/etc/initramfs-tools/update-initramfs.conf"
printf '#!/bin/sh\nexit 101\n' > "$1/usr/sbin/policy-rc.d" 2>/dev/null || true
HOOK

  mmdebstrap --mode=root --variant=apt --format=directory --include="$packages" \
    --aptopt='Acquire::Retries "3"' --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt=force-confold --dpkgopt=force-unsafe-io "${excludes[@]}" \
    --setup-hook='sh '"$tmp"'/setup.sh "$1"' \
    "$suite" "$root" \
    "deb $mirror $suite main" "deb $mirror $suite-updates main" \
    "deb $security $suite-security main"
  rm -f "$root/usr/sbin/policy-rc.d"

  kernel=$(ls "$root/lib/modules" | sort -V | tail -1)
  depmod -b "$root" "$kernel" 2>/dev/null || chroot "$root" depmod "$kernel"

  # --- configuration -------------------------------------------------------
  echo camrig-vm > "$root/etc/hostname"
  printf '127.0.0.1 localhost\n127.0.1.1 camrig-vm\n' > "$root/etc/hosts"
  echo '/dev/vda / ext4 defaults 0 1' > "$root/etc/fstab"
  echo 'nameserver 10.0.2.3' > "$root/etc/resolv.conf"
  : > "$root/etc/machine-id"
  chroot "$root" systemd-machine-id-setup
  mkdir -p "$root/etc/systemd/network" "$root/root/.ssh" "$root/var/log/journal"
  cat > "$root/etc/systemd/network/10-vm.network" <<'CONF'
[Match]
Driver=virtio_net
[Network]
Address=10.0.2.15/24
Gateway=10.0.2.2
LinkLocalAddressing=ipv6
IPv6AcceptRA=no
MulticastDNS=no
CONF
  chroot "$root" systemctl enable systemd-networkd ssh avahi-daemon
  chroot "$root" systemctl mask systemd-networkd-wait-online.service apt-daily.timer \
    apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service \
    fstrim.timer man-db.timer systemd-timesyncd.service sys-kernel-debug.mount \
    systemd-pstore.service systemd-binfmt.service
  chroot "$root" systemctl set-default multi-user.target
  # Modules that only cost time here (each takes seconds under emulation).
  cat > "$root/etc/modprobe.d/vm.conf" <<'CONF'
blacklist kvm_amd
blacklist kvm_intel
blacklist ccp
blacklist floppy
blacklist psmouse
blacklist pcspkr
blacklist serio_raw
blacklist i2c_piix4
blacklist qemu_fw_cfg
blacklist aesni_intel
blacklist crct10dif_pclmul
blacklist crc32_pclmul
blacklist ghash_clmulni_intel
blacklist polyval_clmulni
blacklist sha512_ssse3
blacklist sha256_ssse3
blacklist sha1_ssse3
alias net-pf-16-proto-16-family-nl80211 off
CONF
  for module in configfs dm_mod drm fuse loop efi_pstore; do
    ln -sf /dev/null "$root/etc/systemd/system/modprobe@$module.service"
  done
  cp "$dir/id_ed25519.pub" "$root/root/.ssh/authorized_keys"
  chmod 700 "$root/root/.ssh"
  rm -f "$root"/etc/ssh/ssh_host_*
  ssh-keygen -q -t ed25519 -N '' -C camrig-vm -f "$root/etc/ssh/ssh_host_ed25519_key"
  cat > "$root/etc/ssh/sshd_config" <<'CONF'
HostKey /etc/ssh/ssh_host_ed25519_key
PermitRootLogin prohibit-password
PasswordAuthentication no
UsePAM no
UseDNS no
PrintMotd no
AcceptEnv LANG LC_*
MaxSessions 64
Subsystem sftp internal-sftp
CONF
  echo 'LANG=C.UTF-8' > "$root/etc/default/locale"
  printf '[Manager]\nDefaultTimeoutStartSec=300s\nDefaultTimeoutStopSec=90s\n' \
    > "$root/etc/systemd/system.conf.d-vm"
  mkdir -p "$root/etc/systemd/system.conf.d"
  mv "$root/etc/systemd/system.conf.d-vm" "$root/etc/systemd/system.conf.d/vm.conf"

  # --- the camera rig ------------------------------------------------------
  mkdir -p "$root/opt/vmrig/frames"
  # Frames for the emulated cameras, made by the image's own ffmpeg at the
  # host's speed (in the guest it would take minutes).
  cat > "$root/frames.sh" <<'HOOK'
set -e
cd /opt/vmrig/frames
for size in 640x480 1280x720 1920x1080; do
  mkdir -p $size
  # The picture's number at the top left, as Tests/Web/scenarios.py reads it: 32 cells, the highest bit first.
  cell=$((8 * ${size%x*} / 1280)) count=15 bit=0
  [ $size = 640x480 ] && count=90
  number="drawbox=w=32*$cell:h=$cell:color=black:t=fill"
  while [ $bit -lt 7 ]; do
    number="$number,drawbox=x=(31-$bit)*$cell:w=$cell:h=$cell:color=white:t=fill:enable='bitand(n,pow(2,$bit))'"
    bit=$((bit + 1))
  done
  ffmpeg -nostdin -v error -f lavfi -i "testsrc2=size=$size:rate=15,$number" -frames:v $count -q:v 6 -pix_fmt yuvj422p $size/%03d.jpg
  ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=$size:rate=15 -frames:v 30 -c:v libx264 -preset veryfast \
    -tune zerolatency -g 15 -pix_fmt yuv420p -x264-params aud=1:repeat-headers=1 -f h264 $size.h264
done
HOOK
  mount --bind /dev "$root/dev"
  chroot "$root" sh /frames.sh || { umount "$root/dev"; exit 1; }
  umount "$root/dev"
  rm "$root/frames.sh"

  # --- kernel and initramfs ------------------------------------------------
  # The uncompressed kernel, which QEMU starts by way of PVH: unpacking the
  # bzImage under emulation costs many seconds.
  python3 - "$root/boot/vmlinuz-$kernel" "$dir/vmlinux" <<'PY'
import struct, subprocess, sys
image = open(sys.argv[1], 'rb').read()
start = (image[0x1f1] + 1) * 512 + struct.unpack_from('<I', image, 0x248)[0]
payload = image[start:start + struct.unpack_from('<I', image, 0x24c)[0]]
tool = {b'\xfd7zX': ['xz', '-dc', '--single-stream'], b'\x28\xb5\x2f\xfd': ['zstd', '-dc'],
        b'\x02\x21\x4c\x18': ['lz4', '-dc'], b'\x1f\x8b\x08\x00': ['gzip', '-dc']}[payload[:4]]
plain = subprocess.run(tool, input=payload, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
assert plain[:4] == b'\x7fELF', 'not an ELF kernel'
open(sys.argv[2], 'wb').write(plain)
PY
  cp "$root/boot/vmlinuz-$kernel" "$dir/vmlinuz"
  initrd=$tmp/initrd
  mkdir -p "$initrd/bin" "$initrd/modules" "$initrd/dev" "$initrd/proc" "$initrd/sys" "$initrd/root"
  cp "$root"/usr/bin/busybox "$initrd/bin/busybox" 2>/dev/null || cp "$root/bin/busybox" "$initrd/bin/busybox"
  : > "$initrd/modules/order"
  for module in virtio_pci virtio_blk ext4; do
    chroot "$root" modprobe -S "$kernel" --show-depends "$module" | while read -r verb file _; do
      [ "$verb" = insmod ] || continue
      name=$(basename "$file")
      name=${name%.xz}; name=${name%.zst}
      grep -qx "$name" "$initrd/modules/order" && continue
      case $file in
        *.xz) xz -dc "$root$file" > "$initrd/modules/$name" ;;
        *.zst) zstd -qdc "$root$file" > "$initrd/modules/$name" ;;
        *) cp "$root$file" "$initrd/modules/$name" ;;
      esac
      echo "$name" >> "$initrd/modules/order"
    done
  done
  cat > "$initrd/init" <<'INIT'
#!/bin/busybox sh
b=/bin/busybox
$b mount -t devtmpfs dev /dev
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
while read -r m; do $b insmod /modules/$m; done < /modules/order
i=0
while [ ! -b /dev/vda ] && [ $i -lt 100 ]; do $b sleep 0.1; i=$((i+1)); done
$b mount -t ext4 -o rw /dev/vda /root || { echo 'initrd: no root file system'; $b sleep 2; $b poweroff -f; }
$b umount /sys
$b umount /proc
$b mount --move /dev /root/dev
exec $b switch_root /root /sbin/init
INIT
  chmod 755 "$initrd/init"
  (cd "$initrd" && find . | cpio -o -H newc --quiet -R 0:0) > "$dir/initrd.img"

  # --- disk ----------------------------------------------------------------
  rm -rf "$root"/boot/* "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*Packages* \
    "$root"/tmp/* "$root"/run/*
  du -sm "$root"
  truncate -s 4G "$tmp/disk.raw"
  mke2fs -q -t ext4 -m 0 -E lazy_itable_init=1,lazy_journal_init=1 -J size=32 -L camrig-vm \
    -d "$root" "$tmp/disk.raw"
  qemu-img convert -O qcow2 "$tmp/disk.raw" "$dir/disk.qcow2"
  chroot "$root" dpkg-query -W > "$dir/packages.txt"
  echo "$suite kernel $kernel, built in $(($(date +%s) - started)) s," \
    "disk $(du -m "$dir/disk.qcow2" | cut -f1) MB" > "$dir/ok"
  cat "$dir/ok"
} > "$dir/build.log" 2>&1 || { tail -30 "$dir/build.log" >&2; exit 1; }

# Older images of this suite are of no further use.
for old in "$cache/$suite"-*; do [ "$old" = "$dir" ] || rm -rf "$old"; done
cat "$dir/ok" >&2
echo "$dir"
