#!/bin/sh
# What udhcpc calls with a lease of the phone: takes the address, and leaves what was said for phone.py.
case $1 in
  deconfig) ip -4 address flush dev "$interface" ;;
  bound | renew)
    ip -4 address flush dev "$interface"
    ip address add "$ip/$mask" broadcast + dev "$interface"
    [ -z "$router" ] || ip route replace default via "${router%% *}" dev "$interface"
    printf '{"address":"%s","prefix":"%s","router":"%s","dns":"%s"}\n' "$ip" "$mask" "$router" "$dns" >/run/phone-lease.json
    ;;
esac
