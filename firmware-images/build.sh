#!/usr/bin/env bash
# Makes the image of a board from this checkout: dist/images/BOARD/gatehouse-BOARD.img.xz with its .bmap, checksums and
# the entry for Raspberry Pi Imager; and root.ext4, which update bundles are made of. As root; no loop devices, no mounts.
#
#   npm run build:binary && npm run build:deb -- --arch arm64 && npm run build:image -- BOARD [--keyring FILE] [--root TAR] [--fast]
#
# --keyring: the certificates of those who may sign updates; without it the one of `npm run update-keys` is put in.
# --root: a root that firmware-images/root/make-root.sh made; without it one is made, and kept for the next time.
# --fast: no .img.xz, only the image itself, for a test.
set -euo pipefail
# Of the data partition, for good (docs/decisions/images.md). The tests of power cuts read it here.
data_block_bytes=1024
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
project=$(dirname "$here")
export PATH=$PATH:/usr/sbin:/sbin
board= keyring= root_tar= fast=
while [ $# -gt 0 ]; do
  case $1 in
    --keyring) keyring=$2; shift 2 ;;
    --root) root_tar=$2; shift 2 ;;
    --fast) fast=yes; shift ;;
    *) board=$1; shift ;;
  esac
done
fail() { echo "build:image: $*" >&2; exit 1; }
[ -n "$board" ] && [ -f "$here/$board/genimage.cfg" ] ||
  fail "name a board: $(cd "$here" && ls -d */genimage.cfg | sed 's,/.*,,' | tr '\n' ' ')"
[ "$(id -u)" = 0 ] || fail 'run this as root: the files of an image belong to many users'
for tool in mmdebstrap:mmdebstrap genimage:genimage mcopy:mtools mke2fs:e2fsprogs mkdosfs:dosfstools xz:xz-utils \
  bmaptool:bmap-tools arch-test:arch-test qemu-aarch64-static:qemu-user-static grub-mkimage:grub-common; do
  command -v "${tool%%:*}" >/dev/null || fail "${tool%%:*} is missing: apt install ${tool##*:}"
done
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$project/package.json")
deb=$project/dist/deb/gatehouse_${version}_arm64.deb
[ -f "$deb" ] || fail "$deb is missing: npm run build:binary && npm run build:deb -- --arch arm64"
keyring=${keyring:-$project/update-keys/keyring.pem}
[ -f "$keyring" ] || fail "$keyring is missing: npm run update-keys, or --keyring FILE"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$project" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

if [ -z "$root_tar" ]; then
  root_tar=$project/node_modules/.cache/image-root/$(cat "$here"/root/* | sha256sum | cut -c1-16).tar
  [ -f "$root_tar" ] || "$here/root/make-root.sh" "$root_tar"
fi
"$here/root/emulation.sh"

out=$project/dist/images/$board
work=$(mktemp -d "${TMPDIR:-/tmp}/image.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" "$work"/{fat/card,input,tmp,data}
root=$work/root
mkdir "$root"
chmod 755 "$root"
tar -C "$root" -xf "$root_tar"

# The package, as on any Debian.
cp "$deb" "$root/tmp/gatehouse.deb"
chroot "$root" dpkg --force-confnew -i /tmp/gatehouse.deb >"$work/dpkg.log" 2>&1 || { cat "$work/dpkg.log" >&2; fail 'the package could not be installed'; }
rm "$root/tmp/gatehouse.deb"

# What makes an appliance of it.
cp -r "$here/common/." "$root/"
. "$here/$board/board.sh"
sed -e "s|@CARD@|$card_device|" -e "s|@DATA@|$data_device|" "$here/common/etc/fstab.in" >"$root/etc/fstab"
rm "$root/etc/fstab.in"
install -D -m 0644 "$here/$board/rauc-system.conf" "$root/etc/rauc/system.conf"
install -D -m 0644 "$keyring" "$root/etc/rauc/keyring.pem"
install -D -m 0644 "$project/systemd/image/system-watchdog.conf" "$root/etc/systemd/system.conf.d/gatehouse.conf"
install -D -m 0644 "$project/systemd/image/sysctl-panic.conf" "$root/etc/sysctl.d/61-gatehouse-image.conf"
mv "$root/etc/gatehouse/gatehouse.yaml" "$root/usr/lib/gatehouse/image/gatehouse.yaml"
mkdir -p "$root"/{data,boot/card,etc/NetworkManager/system-connections}
ln -sfn ../run/NetworkManager/resolv.conf "$root/etc/resolv.conf"
mkdir -p "$root/etc/issue.d"
ln -sfn /run/gatehouse-issue "$root/etc/issue.d/gatehouse.issue"
: >"$root/etc/machine-id"
# In os-release, below, and not here: a name that the read-only system holds could not be changed (box.host_name).
rm -f "$root/etc/hostname"
printf '127.0.0.1 localhost gatehouse\n::1 localhost\n' >"$root/etc/hosts"
{
  sed '/^IMAGE_/d' "$root/usr/lib/os-release"
  printf 'DEFAULT_HOSTNAME=gatehouse\nIMAGE_ID=gatehouse-%s\nIMAGE_VERSION=%s\n' "$board" "$version"
} >"$root/etc/os-release.new" && rm "$root/etc/os-release" && mv "$root/etc/os-release.new" "$root/etc/os-release"
# Packages come with images: nothing on a box asks for others.
rm -rf "$root"/etc/apt/sources.list* "$root"/var/lib/apt "$root"/var/cache/*
chroot "$root" systemctl --quiet enable gatehouse.service gatehouse-health.service gatehouse-take-settings.service gatehouse-data.service gatehouse-banner.path
chroot "$root" systemctl --quiet mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
  e2scrub_reap.service grub-common.service NetworkManager-wait-online.service systemd-pstore.service systemd-machine-id-commit.service

# The boot partition, by the board; with what an installer may read and drop there.
board_boot_files
cp "$here/common-card/"* "$work/fat/card/"

truncate -s "$root_size" "$work/input/root.ext4"
mke2fs -q -F -t ext4 -m 0 -L root -d "$root" "$work/input/root.ext4"
# Laid out by the box itself at its first start.
truncate -s 256M "$work/input/data.ext4"
mke2fs -q -F -t ext4 -b "$data_block_bytes" -m 1 -L data -d "$work/data" "$work/input/data.ext4"
genimage --rootpath "$work/fat" --inputpath "$work/input" --outputpath "$work/out" --tmppath "$work/tmp" \
  --config "$here/$board/genimage.cfg" >"$work/genimage.log" 2>&1 || { cat "$work/genimage.log" >&2; fail 'genimage failed'; }

image=gatehouse-$board.img
mv "$work/out/$image" "$work/input/root.ext4" "$out/"
# What the list of the parts of the image is made of (scripts/sbom-debian.ts).
cp "$root/var/lib/dpkg/status" "$out/dpkg-status"
cp "$root/etc/os-release" "$out/"
[ ! -f "$work/out/boot.vfat" ] || mv "$work/out/boot.vfat" "$out/"
if [ -z "$fast" ]; then
  (
    cd "$out"
    bmaptool create -o "$image.bmap" "$image" 2>/dev/null
    size=$(stat -c %s "$image") sum=$(sha256sum <"$image" | cut -d' ' -f1)
    xz -T0 -3 -f "$image"
    cat >"gatehouse-$board.rpi-imager-manifest" <<JSON
{
  "os_list": [
    {
      "name": "Gatehouse $version ($board)",
      "description": "Edge gateway appliance",
      "url": "$image.xz",
      "icon": "",
      "release_date": "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)",
      "extract_size": $size,
      "extract_sha256": "$sum",
      "image_download_size": $(stat -c %s "$image.xz"),
      "image_download_sha256": "$(sha256sum <"$image.xz" | cut -d' ' -f1)",
      "devices": $imager_devices,
      "init_format": "none"
    }
  ]
}
JSON
    sha256sum "$image.xz" "$image.bmap" "gatehouse-$board.rpi-imager-manifest" >SHA256SUMS
  )
fi
echo "made $(ls "$out" | tr '\n' ' ')in dist/images/$board" >&2
