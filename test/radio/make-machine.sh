#!/usr/bin/env bash
# Makes the machine that the radio test runs in: FOLDER/root.ext4, FOLDER/vmlinuz and FOLDER/initrd.img, a Debian 13
# with its stock kernel, BlueZ, NetworkManager, hostapd, and what a stranger has who tries a release. It carries nothing
# of this project: what runs in it comes by shared folders at each start, so it is made again only when this file
# changes (test/radio/machine.ts).
set -euo pipefail
folder=${1:?usage: make-machine.sh FOLDER}
suite=trixie
work=$(mktemp -d "${TMPDIR:-/tmp}/radio-machine.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Packages come from where this machine takes its own: apt itself reads its configuration, in either format. A machine
# that is no Debian has no such address, and mmdebstrap then takes its default.
codename=$(. /etc/os-release && [ "${ID:-}" = debian ] && echo "${VERSION_CODENAME:-}" || true)
mirror=
if [ -n "$codename" ]; then
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v release="$codename" '$2 == release && $3 == "main" && !found { print $1; found = 1 }')
fi
sources=()
if [ -n "$mirror" ]; then sources=("deb $mirror $suite main" "deb $mirror $suite-updates main"); fi

packages=(
  systemd systemd-sysv udev dbus kmod linux-image-amd64 initramfs-tools zstd
  network-manager wpasupplicant iw rfkill wireless-regdb nftables
  hostapd dnsmasq-base busybox iproute2
  bluez bluez-test-tools
  python3 python3-dbus python3-gi
  libatomic1 libstdc++6
  openssl mosquitto-clients rauc rauc-service
)

# Written before the kernel comes, so that the initrd is made once, and small: what finds the disk, nothing else.
mkdir -p "$work/before/etc/initramfs-tools/conf.d" "$work/before/usr/share/initramfs-tools/modules.d"
echo 'MODULES=list' >"$work/before/etc/initramfs-tools/conf.d/radio"
printf '%s\n' virtio_pci virtio_blk ext4 >"$work/before/usr/share/initramfs-tools/modules.d/radio"

after=$work/after
mkdir -p "$after"/etc/systemd/system/multi-user.target.wants "$after"/etc/NetworkManager/{conf.d,dnsmasq-shared.d} \
  "$after"/mnt/{gatehouse,radio,results}
cat >"$after/etc/fstab" <<'FSTAB'
gatehouse /mnt/gatehouse 9p trans=virtio,version=9p2000.L,msize=524288,cache=loose,ro,nofail 0 0
radio     /mnt/radio     9p trans=virtio,version=9p2000.L,msize=524288,cache=loose,ro,nofail 0 0
results   /mnt/results   9p trans=virtio,version=9p2000.L,msize=524288,nofail 0 0
FSTAB
cat >"$after/etc/systemd/system/radio.service" <<'UNIT'
[Unit]
Description=The radio test
After=NetworkManager.service bluetooth.service dbus.service
Wants=NetworkManager.service
RequiresMountsFor=/mnt/gatehouse /mnt/radio /mnt/results

[Service]
Type=oneshot
ExecStart=/bin/bash /mnt/radio/run.sh
ExecStopPost=/bin/sh -c 'sync; systemctl poweroff --force --force'
StandardOutput=append:/mnt/results/run.log
StandardError=inherit
UNIT
ln -s ../radio.service "$after/etc/systemd/system/multi-user.target.wants/radio.service"
# The first radio is the router's, the third the phone's: only the one between is the box's.
cat >"$after/etc/NetworkManager/conf.d/radio.conf" <<'NM'
[main]
dns=none
[keyfile]
unmanaged-devices=interface-name:wlan0*;interface-name:wlan2
[device]
wifi.scan-rand-mac-address=no
[logging]
level=INFO
NM
# As the box's package installs it: on its hotspot every name is the box.
echo 'address=/#/10.192.168.1' >"$after/etc/NetworkManager/dnsmasq-shared.d/gatehouse.conf"

# Services of a machine that lives for minutes without a network are only waiting time.
idle=(apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer hostapd.service
  ModemManager.service NetworkManager-wait-online.service wpa_supplicant-nl80211@.service getty@tty1.service
  serial-getty@ttyS0.service systemd-timesyncd.service)

echo 'making the machine of the radio test: one to two minutes' >&2
mmdebstrap --mode=root --architectures=amd64 --variant=minbase --quiet \
  --aptopt='Apt::Install-Recommends "false"' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/lib/modules/*/kernel/sound/*' \
  --dpkgopt='path-exclude=/usr/lib/modules/*/kernel/drivers/gpu/*' \
  --dpkgopt='path-exclude=/usr/lib/modules/*/kernel/drivers/media/*' \
  --dpkgopt='path-exclude=/usr/lib/modules/*/kernel/drivers/infiniband/*' \
  --dpkgopt='path-exclude=/usr/lib/modules/*/kernel/drivers/net/ethernet/*' \
  --setup-hook="copy-in $work/before/etc $work/before/usr /" \
  --include="$(IFS=,; echo "${packages[*]}")" \
  --customize-hook="copy-in $after/etc $after/mnt /" \
  --customize-hook="chroot \"\$1\" systemctl mask --quiet ${idle[*]}" \
  --customize-hook='echo box >"$1/etc/hostname"; : >"$1/etc/resolv.conf"' \
  "$suite" "$work/root.tar" "${sources[@]}"

mkdir "$work/root"
tar -C "$work/root" -xf "$work/root.tar"
made=$folder.making.$$
rm -rf "$made"
mkdir -p "$made"
trap 'rm -rf "$work" "$made"' EXIT
cp "$work"/root/boot/vmlinuz-* "$made/vmlinuz"
cp "$work"/root/boot/initrd.img-* "$made/initrd.img"
rm -f "$work"/root/boot/initrd.img-* "$work"/root/boot/vmlinuz-*
truncate -s 1G "$made/root.ext4"
PATH=$PATH:/usr/sbin:/sbin mke2fs -q -F -t ext4 -d "$work/root" "$made/root.ext4"
# Whole or not at all: a run that is ended in between leaves nothing that looks like a machine. Where another run was
# quicker, its machine is as good.
mv -T "$made" "$folder" || [ -f "$folder/root.ext4" ]
