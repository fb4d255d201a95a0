#!/bin/bash
# Runs in the machine (test/radio/make-machine.sh) as an installer does, and lets a story walk through it.
# /mnt/gatehouse has the packages and the name of the story, /mnt/radio this folder, /mnt/results takes what is said.
set -euo pipefail
cd /root
# The machine was made for the radio test, with a file of the package in place.
rm -f /etc/NetworkManager/dnsmasq-shared.d/gatehouse.conf
status=0
story=$(cat /mnt/gatehouse/story)
PYTHONDONTWRITEBYTECODE=1 python3 -u "/mnt/radio/$story" /mnt/gatehouse /mnt/results || status=$?
journalctl --no-pager -o short-monotonic -u gatehouse -u rauc -u gatehouse-health -u gatehouse-rollback >/mnt/results/box.log 2>&1 || true
exit "$status"
