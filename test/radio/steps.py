"""The story of the radio test, from the phone's side. Each step leaves one JSON line in RESULTS/steps.jsonl.

usage: steps.py GATEHOUSE RESULTS
"""

import dataclasses
import http.client
import json
import os
import random
import re
import ssl
import string
import subprocess
import sys
import time
import traceback

import frames
from phone import Bluetooth, Broadcasts, Wifi, in_network, network_of, request, resolve, until

GATEHOUSE, RESULTS = sys.argv[1:3]
VENDOR = "VENDOR"
PRODUCT_KEY = "box-product-key"
DEVICE_ID, MODEL = "GATEHOUSE_000001", "GH1"
BROADCAST_NAME = "VENDOR_GATEHOUSE_000001"
HOTSPOT, HOTSPOT_KEY = "10.192.168.1", "setup-pass-1"
SSID, PASSWORD = "Plant", "right-password"
SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
WRITE = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
NOTIFY = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
RESULT_PORT = 24333
# After that no step is begun: the logs are worth more than what a story that goes wrong has yet to say.
DEADLINE = time.monotonic() + 9 * 60
BOX_INTERFACE = "wlan1"
DATA = "/var/lib/gatehouse"
CONFIG = f"""\
environment: test
data_dir: {DATA}
box: {{ product_id: GATEHOUSE, device_sn: "000001", model: {MODEL}, vendor: {VENDOR}, product_key: {PRODUCT_KEY} }}
provisioning:
  bluetooth: bluez
  bluetooth_adapter: hci0
  wifi: networkmanager
  wifi_interface: {BOX_INTERFACE}
  hotspot: {HOTSPOT}:80
  hotspot_key: {HOTSPOT_KEY}
  result_broadcast: 255.255.255.255:{RESULT_PORT}
"""


def plain(value):
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) else str(value)


results = open(f"{RESULTS}/steps.jsonl", "a", buffering=1)
failed = 0


def step(name, body):
    """Runs one step; the story goes on after one that failed, as the next may well tell why."""
    global failed
    if time.monotonic() > DEADLINE:
        print(f"--- no time left for: {name}", flush=True)
        return None
    print(f"--- {name}", flush=True)
    start = time.monotonic()
    try:
        detail, ok = body(), True
    except Exception as error:  # noqa: BLE001 - whatever it was, it is the step's result
        detail, ok = f"{type(error).__name__}: {error}\n{traceback.format_exc()}", False
        failed += 1
    line = {"step": name, "ok": ok, "detail": detail, "seconds": round(time.monotonic() - start, 1)}
    results.write(json.dumps(line, default=plain) + "\n")
    print(f"    {'ok' if ok else 'failed'} after {line['seconds']} s", flush=True)
    return detail if ok else None


def same(what, got, wanted):
    if got != wanted:
        raise AssertionError(f"{what}: {got!r}, not {wanted!r}")


def holds(what, true, got=None):
    if not true:
        raise AssertionError(f"{what}: {got!r}")


# What the machine itself knows about the box, to hold its words against.


def box_mac():
    with open(f"/sys/class/net/{BOX_INTERFACE}/address") as file:
        return file.read().strip()


def box_address():
    said = json.loads(subprocess.check_output(["ip", "-4", "-j", "address", "show", "dev", BOX_INTERFACE]))
    return next((one["local"] for link in said for one in link.get("addr_info", [])), None)


def gatehouse(*args):
    done = subprocess.run([GATEHOUSE, *args], capture_output=True, text=True, timeout=120, check=False)
    holds(f"gatehouse {' '.join(args)}", done.returncode == 0, done.stdout + done.stderr)
    return done.stdout.strip()


box_log = open(f"{RESULTS}/box.log", "ab")


def start_box():
    with open("/run/box.yaml", "w") as file:
        file.write(CONFIG)
    box = subprocess.Popen([GATEHOUSE, "serve", "--config", "/run/box.yaml"], stdout=box_log, stderr=box_log)

    def ready():
        holds("the box runs", box.poll() is None, f"ended with {box.poll()}: {box_said()[-2000:]}")
        return re.search(r"^ready ", box_said(), re.M)

    until("the box is ready", ready, 240)
    return "ready"


def box_said():
    with open(f"{RESULTS}/box.log") as file:
        return file.read()


def is_result_of_joining(result, subnet):
    same("device id", result.device_id, DEVICE_ID)
    same("model", result.model, MODEL)
    same("status and error", (result.status, result.error), (0, None))
    same("MAC", result.mac, box_mac())
    same("address", result.address, box_address())
    holds("address of the network", result.address.startswith(f"192.168.{subnet}."), result.address)
    same("mask", result.mask, "255.255.255.0")
    same("gateway", result.gateway, f"192.168.{subnet}.1")


def is_result_of_wrong_password(result):
    same("device id", result.device_id, DEVICE_ID)
    same("model", result.model, MODEL)
    same("status and error", (result.status, result.error), (-2, -3))
    same("MAC", result.mac, box_mac())


class Story:
    def __init__(self):
        self.bluetooth = Bluetooth("hci1")
        self.wifi = Wifi("phone", "wlan2", os.path.dirname(os.path.abspath(__file__)))
        # The router hears everything; the phone hears what it can while it is in the same network.
        self.router_heard = Broadcasts("office", RESULT_PORT)
        self.phone_heard = Broadcasts("phone", RESULT_PORT)
        self.channel = None

    def connect(self):
        path = self.bluetooth.find(BROADCAST_NAME, 60)
        return self.bluetooth.connect(path, SERVICE, WRITE, NOTIFY)

    def ask(self, command, payload=b"", **how):
        self.channel.write(frames.frame(command, payload), **how)
        return self.channel.read()

    # 1: not set up

    def advertises(self):
        path = self.bluetooth.find(BROADCAST_NAME, 60)
        advertised = self.bluetooth.services_advertised(path)
        holds("the service is advertised", SERVICE in advertised, advertised)
        return {"name": BROADCAST_NAME, "services": advertised}

    def opens_hotspot(self):
        seen = self.wifi.find(BROADCAST_NAME, 60)
        holds("WPA2 with a passphrase", seen["rsn"] and seen["psk"] and seen["privacy"], seen)
        return seen

    # 2: over GATT

    def tells_device_info(self):
        self.channel = self.connect()
        holds("both ways of writing", {"write", "write-without-response"} <= self.channel.flags, self.channel.flags)
        command, payload = self.ask(frames.INFO)
        same("command", command, frames.INFO)
        same("device info", frames.device_info(payload), (DEVICE_ID, MODEL))
        same("without response", self.ask(frames.INFO, acknowledged=False), (command, payload))
        return {"mtu": int(self.channel.mtu), "device_id": DEVICE_ID, "model": MODEL}

    def signs(self, length=16, **how):
        text = "".join(random.choices(string.ascii_letters + string.digits, k=length))
        command, payload = self.ask(frames.SIGNATURE, text.encode(), **how)
        same("command", command, frames.SIGNATURE)
        said, device_id, model = frames.signature_reply(payload)
        same("device id and model", (device_id, model), (DEVICE_ID, MODEL))
        same("signature", said, frames.signature(device_id, text, PRODUCT_KEY))
        holds("another key signs otherwise", said != frames.signature(device_id, text, "another-key"), said)
        return {"random": text, "signature": said}

    def refuses_unknown(self):
        command, payload = self.ask(0x42, b"what?")
        same("command and error", (command, payload[0]), (frames.ERROR, frames.UNKNOWN_COMMAND))
        return payload[1:].decode()

    def refuses_wrong_checksum(self):
        good = frames.frame(frames.INFO)
        self.channel.write(good[:-1] + bytes([good[-1] ^ 0x55]))
        command, payload = self.channel.read()
        same("command and error", (command, payload[0]), (frames.ERROR, frames.CHECKSUM_ERROR))
        same("it goes on", self.ask(frames.INFO)[0], frames.INFO)
        return payload[1:].decode()

    def reads_pieces(self):
        return [
            self.signs(60, piece=20),
            self.signs(60, piece=20, acknowledged=False),
            self.signs(60, piece=20, padded=True),
            self.signs(3, piece=1),
        ]

    def ignores_other_key(self):
        self.channel.write(frames.wifi_settings(SSID, PASSWORD, "not-the-product-key", VENDOR))
        self.channel.silent(8)
        same("it goes on", self.ask(frames.INFO)[0], frames.INFO)

    # 3 and 4: wifi over GATT

    def set_wifi(self, ssid, password):
        self.channel.write(frames.wifi_settings(ssid, password, PRODUCT_KEY, VENDOR))
        command, payload = self.channel.read(130)
        same("command", command, frames.WIFI)
        return frames.result(payload)

    def tells_wrong_password(self):
        result = self.set_wifi(SSID, "wrong-password")
        is_result_of_wrong_password(result)
        return result

    def is_back(self):
        self.channel.close()
        self.advertises()
        return self.opens_hotspot()

    def joins_by_bluetooth(self):
        lease = self.wifi.join(SSID, PASSWORD, 2437)
        self.phone_heard.clear()
        self.router_heard.clear()
        self.channel = self.connect()
        result = self.set_wifi(SSID, PASSWORD)
        is_result_of_joining(result, 77)
        return {"result": result, "phone": lease}

    def broadcasts(self, heard, subnet=77, seconds=30):
        got = heard.at_least(3, seconds)
        for _, data, sender in got:
            command, payload = frames.one_frame(data)
            same("command", command, frames.WIFI)
            result = frames.result(payload)
            is_result_of_joining(result, subnet)
            same("sender", sender, result.address)
        pauses = [round(after - before, 2) for (before, *_), (after, *_) in zip(got, got[1:])]
        # Told and not judged: how far apart they go out, test/provisioning/result-broadcast.test.ts shows by a clock of
        # its own; how far apart they arrive here, is up to the emulation and to what else the machine does.
        return {"count": len(got), "pauses": pauses, "result": result}

    def answers_in_the_office(self):
        address = box_address()
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        with network_of("office"):
            connection = http.client.HTTPSConnection(address, 8443, timeout=60, context=trusting)
            connection.connect()
        connection.request("GET", "/")
        answer = connection.getresponse()
        return f"{answer.status}: {answer.read()[:200]!r}"

    def hotspot_is_gone(self):
        def gone():
            seen = self.wifi.scan()
            return SSID in seen and BROADCAST_NAME not in seen

        self.wifi.leave()
        until("the box's hotspot is gone", gone, 30)

    # 6: reset, and the hotspot

    def resets(self):
        if self.channel:
            self.channel.close()
            self.channel = None
        self.wifi.leave()
        said = gatehouse("reset", "--network", "--data-dir", DATA)
        return {"said": said, "hotspot": self.opens_hotspot()}

    def gives_address(self):
        lease = self.wifi.join(BROADCAST_NAME, HOTSPOT_KEY, self.opens_hotspot()["frequency"])
        holds("address", lease["address"].startswith("10.192.168.") and lease["prefix"] in ("24", "255.255.255.0"), lease)
        same("router and name server", (lease["router"], lease["dns"]), (HOTSPOT, HOTSPOT))
        return lease

    def answers_names(self):
        for name in ("connectivity.example", "www.anything.test"):
            same(name, resolve("phone", HOTSPOT, name), [HOTSPOT])

    def shows_portal(self):
        shown = {}
        for host, probe in (
            ("connectivitycheck.gstatic.com", "/generate_204"),
            ("captive.apple.com", "/hotspot-detect.html"),
            ("www.msftconnecttest.com", "/connecttest.txt"),
        ):
            status, headers, page = request("phone", "GET", f"http://{HOTSPOT}{probe}", headers={"Host": host})
            hops = [status]
            while status in (301, 302, 303, 307, 308) and len(hops) < 4:
                where = headers["location"]
                if where.startswith("/"):
                    where = f"http://{HOTSPOT}{where}"
                # A phone would ask the hotspot's name server, which knows one address only.
                at = re.sub(r"^http://[^/]+/?", f"http://{HOTSPOT}/", where)
                status, headers, page = request("phone", "GET", at)
                hops.append(status)
            same(f"the page behind {probe}", status, 200)
            holds("a page of HTML", b"<html" in page.lower() and "text/html" in headers["content-type"], page[:200])
            holds("smaller than 20 kB", len(page) < 20_000, len(page))
            outside = re.findall(rb"(?:src|href)=[\"']?https?://[^\s\"'>]+", page)
            holds("nothing from elsewhere, where there is no way", not outside, outside)
            shown[probe] = {"hops": hops, "bytes": len(page)}
        return shown

    def call(self, path, body=None):
        status, _, text = request("phone", "POST", f"http://{HOTSPOT}{path}", body, seconds=60)
        same(f"status of {path}", status, 200)
        answer = json.loads(text)
        same(f"code of {path}", answer["code"], "0")
        holds("msg is a text", isinstance(answer["msg"], str), answer)
        return answer

    def lists_networks(self):
        def listed():
            networks = self.call("/wifi/list")["data"]
            return next((one for one in networks if one["ssid"] == SSID), None)

        network = until(f"{SSID} in the list", listed, 60, every=3)
        same("anthenc", network["anthenc"], "WPA2-PSK-AES")
        holds("quality is a text of digits", re.fullmatch(r"\d{1,3}", network["quality"]), network)
        guests = next((one for one in self.call("/wifi/list")["data"] if one["ssid"] == "Plant-Guests"), None)
        holds("the open network is listed as such", guests and guests["anthenc"] == "none", guests)
        return [network, guests]

    def tells_itself(self):
        data = self.call("/device/query")["data"]
        same("model", data["model"], MODEL)
        holds("sn", data["sn"] in ("000001", DEVICE_ID), data)
        holds("version", isinstance(data["version"], str) and data["version"], data)
        return data

    # 7 and 8: wifi by the hotspot

    def wrong_key_by_hotspot(self):
        before = self.told()
        self.call("/wifi/setting", {"ssid": SSID, "authenc": "WPA2-PSK-AES", "key": "wrong-password"})
        # The answer has arrived: there was time for it.
        until("the hotspot closes", lambda: BROADCAST_NAME not in self.in_range(), 30, every=0.2)
        self.wifi.leave()
        hotspot = self.wifi.find(BROADCAST_NAME, 120)
        self.wifi.join(BROADCAST_NAME, HOTSPOT_KEY, hotspot["frequency"])
        new = sorted(self.told() - before)
        holds("the error is told", any(re.search(r"(?i)-3\b|password|密码", piece) for piece in new), new)
        return {"told": new}

    def in_range(self):
        """Networks by the phone's own connection: it notices at once when its access point goes away."""
        status = in_network("phone", "iw", "dev", "wlan2", "link", check=False)
        return re.findall(r"SSID: (.*)", status)

    def told(self):
        """Every piece of text that a person or an app is told: on the page, and by /device/query."""
        _, _, page = request("phone", "GET", f"http://{HOTSPOT}/")
        visible = re.sub(r"(?is)<(style|script)\b.*?</\1>", "", page.decode())
        pieces = {piece.strip() for piece in re.split(r"<[^>]*>", visible)}

        def leaves(value):
            if isinstance(value, (dict, list)):
                for one in value.values() if isinstance(value, dict) else value:
                    yield from leaves(one)
            else:
                yield str(value)

        return (pieces | set(leaves(self.call("/device/query")))) - {""}

    def joins_by_hotspot(self):
        self.router_heard.clear()
        self.call("/wifi/setting", {"ssid": SSID, "authenc": "WPA2-PSK-AES", "key": PASSWORD})
        # What a phone does now by itself: it goes back to the network that it knows, and listens.
        until("the hotspot closes", lambda: BROADCAST_NAME not in self.in_range(), 30)
        self.phone_heard.clear()
        lease = self.wifi.join(SSID, PASSWORD, 2437)
        return {"phone": lease, **self.broadcasts(self.router_heard, seconds=120)}

    def phone_hears_it(self):
        _, data, sender = self.phone_heard.at_least(1, 15)[0]
        result = frames.result(frames.one_frame(data)[1])
        is_result_of_joining(result, 77)
        same("sender", sender, result.address)
        return result

    # 9 and 10: other networks

    def joins_other(self, ssid, password, subnet):
        self.resets()
        self.channel = self.connect()
        result = self.set_wifi(ssid, password)
        is_result_of_joining(result, subnet)
        return result

    def tell(self):
        step("a box that is not set up advertises its broadcast name and its service", self.advertises)
        step("it opens a hotspot of the same name, with WPA2", self.opens_hotspot)
        step("over Bluetooth it tells its device id and model", self.tells_device_info)
        step("its signature verifies with the product key, and with no other", self.signs)
        step("an unknown command is answered with error 0x03", self.refuses_unknown)
        step("a wrong checksum is answered with error 0x02, and the next frame is read", self.refuses_wrong_checksum)
        step("frames in pieces of 20 bytes, zero-padded or not, are read", self.reads_pieces)
        step("wifi settings under another key are ignored", self.ignores_other_key)
        step("a wrong wifi password is reported over Bluetooth: status -2, error -3", self.tells_wrong_password)
        step("after that it advertises and opens its hotspot again", self.is_back)
        step("the right password is reported over Bluetooth: status 0, MAC, address, mask and gateway", self.joins_by_bluetooth)
        step("the result is broadcast at least 3 times", lambda: self.broadcasts(self.phone_heard))
        step("it answers in the office network", self.answers_in_the_office)
        step("its hotspot is gone while it is in the office network", self.hotspot_is_gone)
        step("gatehouse reset --network opens the hotspot again", self.resets)
        step("a phone that joins the hotspot gets an address of 10.192.168.0/24", self.gives_address)
        step("on the hotspot every name is the box", self.answers_names)
        step("the probes of phones lead to a page of less than 20 kB", self.shows_portal)
        step("/wifi/list tells the office network and its security", self.lists_networks)
        step("/device/query tells serial number, model and version", self.tells_itself)
        step("after a wrong key by /wifi/setting the hotspot comes back and tells the error", self.wrong_key_by_hotspot)
        step("after the right key by /wifi/setting it joins and broadcasts the result", self.joins_by_hotspot)
        step("a phone that comes to the office network after it hears the result", self.phone_hears_it)
        step("a network that hides its name can be joined", lambda: self.joins_other("Plant-Hidden", PASSWORD, 78))
        step("an open network can be joined, with no password at all", lambda: self.joins_other("Plant-Guests", "", 79))


if step("the box starts in the machine", start_box):
    Story().tell()
sys.exit(1 if failed else 0)
