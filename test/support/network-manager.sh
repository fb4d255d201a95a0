#!/bin/bash
# NetworkManager and hostnamed, in namespaces of their own (network, mounts, host name): eth9, whose other end answers
# as the router 192.0.2.1. Nothing of this machine is touched. FOLDER has the bus, the profiles and /etc.
set -euo pipefail
folder=$1
ip link set lo up
ip link add eth9 type veth peer name far
ip addr add 192.0.2.1/24 dev far
ip link set far up
mount -t tmpfs tmpfs /run
cp -a /etc "$folder/etc"
echo former >"$folder/etc/hostname"
hostname former
mount --bind "$folder/etc" /etc
# Without udev NetworkManager takes interfaces as they are, where it cannot write to /sys.
mount -t sysfs -o ro sysfs /sys
mkdir -p /run/NetworkManager "$folder/profiles" "$folder/conf.d"
cat >"$folder/nm.conf" <<CONF
[main]
plugins=keyfile
dns=none
auth-polkit=false
no-auto-default=*
[keyfile]
path=$folder/profiles
unmanaged-devices=interface-name:far
[device-eth9]
match-device=interface-name:eth9
managed=1
CONF
cat >"$folder/profiles/wired.nmconnection" <<PROFILE
[connection]
id=wired
uuid=5f6b1d0e-8d2e-4f3c-9a53-2b8f6f2f0c11
type=ethernet
interface-name=eth9

[ethernet]
mtu=1400

[ipv4]
method=manual
address1=192.0.2.5/24,192.0.2.1
route1=198.51.100.0/24,192.0.2.9

[ipv6]
method=disabled
PROFILE
chmod 600 "$folder/profiles/wired.nmconnection"
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/bus
dbus-daemon --config-file="$folder/bus.conf" --nofork --nopidfile 2>/dev/null &
trap 'kill $(jobs -p); wait' EXIT
until [ -S "$folder/bus" ]; do sleep 0.05; done
NetworkManager --no-daemon --config="$folder/nm.conf" --config-dir="$folder/conf.d" \
  --state-file="$folder/state" --pid-file="$folder/pid" >"$folder/log" 2>&1 &
if [ -x /usr/lib/systemd/systemd-hostnamed ]; then /usr/lib/systemd/systemd-hostnamed >"$folder/hostnamed.log" 2>&1 & fi
# Ends with the test: its standard input is closed.
cat >/dev/null
