#!/bin/sh
# Lays the files that start a board into ROOT/usr/lib/gatehouse-boot: GRUB's modules for UEFI, and the firmware of the
# Raspberry Pi. The packages are unpacked, not installed: their hooks would look for a boot partition that is not there.
# A hook of mmdebstrap, which hands over the apt configuration of ROOT.
set -eu
root=${1:?usage: boot-files.sh ROOT}
to=$root/usr/lib/gatehouse-boot
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
(cd "$work" && APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get download -qq raspi-firmware grub-efi-arm64-bin)
for deb in "$work"/*.deb; do dpkg -x "$deb" "$work/files"; done
mkdir -p "$to" "$root/usr/share/doc/raspi-firmware"
cp -r "$work/files/usr/lib/grub/arm64-efi" "$work/files/usr/lib/raspi-firmware" "$to/"
rm -f "$to"/arm64-efi/*.image
cp "$work/files/usr/share/doc/raspi-firmware/copyright" "$root/usr/share/doc/raspi-firmware/"
