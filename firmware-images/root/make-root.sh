#!/usr/bin/env bash
# Makes FILE, a tar of Debian 13 for arm64 with what every board needs. It carries nothing of this project, so that it is
# made again only when this folder changes: most of its ten minutes go into configuring packages under emulation.
set -euo pipefail
file=${1:?usage: make-root.sh FILE}
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
. "$here/../../scripts/debian-mirror.sh"
suite=trixie
work=$(mktemp -d "${TMPDIR:-/tmp}/image-root.XXXXXX")
trap 'rm -rf "$work"' EXIT

"$here/emulation.sh"

# Written before the kernel comes, so that the initrd is made once, and small: what finds the card, nothing else.
mkdir -p "$work/before/etc/initramfs-tools/conf.d" "$work/before/usr/share/initramfs-tools/modules.d"
printf 'MODULES=list\nCOMPRESS=zstd\n' >"$work/before/etc/initramfs-tools/conf.d/gatehouse"
cp "$here/modules" "$work/before/usr/share/initramfs-tools/modules.d/gatehouse"

mapfile -t sources < <(debian_sources "$suite" 'main non-free-firmware')
packages=$(sed 's/#.*//' "$here/packages" | tr -s ' \n' ',' | sed 's/^,//; s/,$//')

echo 'making the root of the images: ten minutes and more' >&2
mmdebstrap --mode=root --architectures=arm64 --variant=minbase --quiet --components='main non-free-firmware' \
  --aptopt='Apt::Install-Recommends "false"' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/lib/modules/*/kernel/sound/*' \
  --dpkgopt='path-exclude=/usr/lib/modules/*/kernel/drivers/gpu/*' \
  --dpkgopt='path-exclude=/usr/lib/modules/*/kernel/drivers/media/*' \
  --dpkgopt='path-exclude=/usr/lib/modules/*/kernel/drivers/infiniband/*' \
  --dpkgopt='path-exclude=/usr/lib/linux-image-*/*' --dpkgopt='path-include=/usr/lib/linux-image-*/broadcom/*' \
  --setup-hook="copy-in $work/before/etc $work/before/usr /" \
  --include="$packages" \
  --customize-hook="$here/boot-files.sh \"\$1\"" \
  --customize-hook='rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/* "$1"/var/log/*' \
  "$suite" "$work/root.tar" "${sources[@]}"

mkdir -p "$(dirname "$file")"
mv "$work/root.tar" "$file.$$" && mv "$file.$$" "$file"
