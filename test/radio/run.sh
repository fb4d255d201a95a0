#!/bin/bash
# Runs in the machine (make-machine.sh): puts up the radios and the office's router, and lets steps.py tell the story.
# Three folders come from outside: /mnt/gatehouse (the checkout), /mnt/radio (this folder), /mnt/results (what is said).
set -euo pipefail
cd /run
say() { echo "[$(cut -d' ' -f1 /proc/uptime)] $*"; }

say 'Bluetooth: two controllers'
modprobe hci_vhci
systemctl start bluetooth.service
bluez_knows() { busctl get-property org.bluez "/org/bluez/$1" org.bluez.Adapter1 Address >/dev/null 2>&1; }
both_known() {
  for _ in $(seq 50); do
    if bluez_knows hci0 && bluez_knows hci1; then return 0; fi
    sleep 0.2
  done
  return 1
}
# On a busy machine the emulated controllers may answer the kernel's first command too late, and the kernel then gives
# up on them; and the emulator itself may crash in the middle of the story. In both cases they are made again.
emulate_controllers() {
  local emulator
  while :; do
    nice -n -15 btvirt -l2 >>/mnt/results/btvirt.log 2>&1 &
    emulator=$!
    if both_known; then
      say 'the controllers are there'
    else
      say 'no controllers yet: they are made again'
      kill "$emulator" || true
    fi
    wait "$emulator" || say "the emulator of controllers ended with status $?"
    sleep 1
  done
}
emulate_controllers &
for _ in 1 2 3 4 5; do
  if both_known; then break; fi
done

say 'wifi: three radios'
modprobe mac80211_hwsim radios=3
for _ in $(seq 200); do
  [ -e /sys/class/net/wlan2/phy80211 ] && break
  sleep 0.1
done
rfkill unblock all
for side in office:wlan0 phone:wlan2; do
  name=${side%:*} interface=${side#*:}
  ip netns add "$name"
  ip -n "$name" link set lo up
  iw phy "$(cat "/sys/class/net/$interface/phy80211/name")" set netns name "$name"
done

say 'the office router'
# Three networks of one router: what most sites have, one that does not say its name, and one without a password.
cat >office.conf <<'CONF'
interface=wlan0
driver=nl80211
hw_mode=g
channel=6
ssid=Plant
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase=right-password
bss=wlan0h
ssid=Plant-Hidden
ignore_broadcast_ssid=1
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase=right-password
bss=wlan0g
ssid=Plant-Guests
CONF
ip netns exec office hostapd -t office.conf >/mnt/results/hostapd.log 2>&1 &
for _ in $(seq 300); do
  grep -q 'AP-ENABLED' /mnt/results/hostapd.log && break
  sleep 0.1
done
subnet=77
ranges=()
for interface in wlan0 wlan0h wlan0g; do
  ip -n office address add "192.168.$subnet.1/24" broadcast + dev "$interface"
  ranges+=("--dhcp-range=192.168.$subnet.50,192.168.$subnet.99,255.255.255.0,1h")
  subnet=$((subnet + 1))
done
ip netns exec office dnsmasq --keep-in-foreground --conf-file=/dev/null --no-resolv --log-dhcp --log-facility=- \
  --dhcp-authoritative --no-ping --leasefile-ro --pid-file= "${ranges[@]}" >/mnt/results/dnsmasq.log 2>&1 &

say 'the story'
status=0
PYTHONDONTWRITEBYTECODE=1 python3 -u /mnt/radio/steps.py /mnt/gatehouse/bin/gatehouse /mnt/results || status=$?
say "the end: $status"
journalctl --no-pager -o short-monotonic -u NetworkManager -u wpa_supplicant -u bluetooth >/mnt/results/journal.log 2>&1 || true
dmesg >/mnt/results/dmesg.log 2>&1 || true
exit "$status"
