#!/bin/bash
# Runs in the machine (test/radio/make-machine.sh): installs the package as an installer does, and lets steps.py walk
# through it. /mnt/gatehouse has the package, /mnt/radio this folder, /mnt/results takes what is said.
set -euo pipefail
cd /root
# The machine was made for the radio test, with a file of the package in place.
rm -f /etc/NetworkManager/dnsmasq-shared.d/gatehouse.conf
status=0
PYTHONDONTWRITEBYTECODE=1 python3 -u /mnt/radio/steps.py /mnt/gatehouse /mnt/results || status=$?
journalctl --no-pager -o short-monotonic -u gatehouse >/mnt/results/box.log 2>&1 || true
exit "$status"
