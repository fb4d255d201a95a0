"""A phone with Bluetooth, wifi, HTTP and UDP, for the radio test: by BlueZ, wpa_supplicant and plain sockets."""

import http.client
import json
import os
import re
import select
import socket
import struct
import subprocess
import threading
import time
from contextlib import contextmanager

import dbus

from frames import FrameReader


def until(what, condition, seconds, every=0.3):
    """The first true answer of the condition; there is nothing to wait on but the clock in what is asked here."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(every)


@contextmanager
def network_of(name):
    """Sockets made within belong to the network namespace `name`, wherever they are used afterwards."""
    with open("/proc/thread-self/ns/net") as home, open(f"/run/netns/{name}") as away:
        os.setns(away.fileno(), os.CLONE_NEWNET)
        try:
            yield
        finally:
            os.setns(home.fileno(), os.CLONE_NEWNET)


def in_network(name, *command, check=True, timeout=60):
    done = subprocess.run(
        ["ip", "netns", "exec", name, *command], capture_output=True, text=True, timeout=timeout, check=False
    )
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


class Bluetooth:
    """The phone's Bluetooth controller."""

    def __init__(self, adapter):
        self._bus = dbus.SystemBus()
        self._path = f"/org/bluez/{adapter}"
        self._adapter = self._of(self._path, "org.bluez.Adapter1")
        until("the phone's adapter", lambda: self._path in self._objects(), 30)
        self._of(self._path, "org.freedesktop.DBus.Properties").Set("org.bluez.Adapter1", "Powered", True)

    def _of(self, path, interface):
        return dbus.Interface(self._bus.get_object("org.bluez", path), interface)

    def _objects(self):
        return self._of("/", "org.freedesktop.DBus.ObjectManager").GetManagedObjects()

    def _devices(self):
        return {
            path: interfaces["org.bluez.Device1"]
            for path, interfaces in self._objects().items()
            if path.startswith(f"{self._path}/") and "org.bluez.Device1" in interfaces
        }

    def forget_all(self):
        """What was seen before counts for nothing in the next scan."""
        for path in self._devices():
            self._adapter.RemoveDevice(path)

    def _wait_for_adapter(self):
        """The emulated controller goes and comes back where the machine is very busy."""
        until(f"the adapter {self._path}", lambda: "org.bluez.Adapter1" in self._objects().get(self._path, {}), 60)
        self._of(self._path, "org.freedesktop.DBus.Properties").Set("org.bluez.Adapter1", "Powered", True)

    @contextmanager
    def _scanning(self):
        self._wait_for_adapter()
        self.forget_all()
        self._adapter.SetDiscoveryFilter({"Transport": "le", "DuplicateData": False})
        self._adapter.StartDiscovery()
        try:
            yield
        finally:
            self._adapter.StopDiscovery()

    def find(self, name, seconds=60):
        """The path of the device that advertises under this very name now."""

        def seen():
            return next((path for path, device in self._devices().items() if device.get("Name") == name), None)

        with self._scanning():
            try:
                return until(f"an advertisement of {name}", seen, seconds)
            except TimeoutError as error:
                names = [str(device.get("Name", device.get("Address"))) for device in self._devices().values()]
                raise TimeoutError(f"{error}; seen: {names}") from None

    def services_advertised(self, path):
        return [str(uuid).lower() for uuid in self._devices()[path].get("UUIDs", [])]

    def connect(self, path, service, write, notify):
        return Channel(self, path, service, write, notify)


class Channel:
    """A connection to one device: frames out by one characteristic, frames in by the other."""

    def __init__(self, phone, path, service, write, notify):
        self._phone = phone
        self._device = phone._of(path, "org.bluez.Device1")
        self._device.Connect(timeout=60)
        until("the device's services", lambda: phone._devices()[path].get("ServicesResolved"), 60)
        objects = phone._objects()
        services = {
            str(interfaces["org.bluez.GattService1"]["UUID"]): at
            for at, interfaces in objects.items()
            if at.startswith(f"{path}/") and "org.bluez.GattService1" in interfaces
        }
        if service not in services:
            raise LookupError(f"no service {service} among {sorted(services)}")
        found = {
            str(interfaces["org.bluez.GattCharacteristic1"]["UUID"]): (at, interfaces["org.bluez.GattCharacteristic1"])
            for at, interfaces in objects.items()
            if at.startswith(f"{services[service]}/") and "org.bluez.GattCharacteristic1" in interfaces
        }
        if write not in found or notify not in found:
            raise LookupError(f"no {write} or {notify} among {sorted(found)}")
        self.flags = {str(flag) for flag in found[write][1]["Flags"]}
        self._out = phone._of(found[write][0], "org.bluez.GattCharacteristic1")
        # A descriptor instead of signals: each read is one notification, as it came.
        descriptor, self.mtu = phone._of(found[notify][0], "org.bluez.GattCharacteristic1").AcquireNotify({}, timeout=30)
        self._in = descriptor.take()
        self._reader = FrameReader()
        self._frames = []

    def write(self, data, piece=None, padded=False, acknowledged=True):
        """In pieces as large as the connection takes, or smaller ones; the last filled with zeros if wanted."""
        size = piece or int(self.mtu) - 3
        for start in range(0, len(data), size):
            part = data[start : start + size]
            if padded:
                part = part.ljust(size, b"\0")
            kind = "request" if acknowledged else "command"
            self._out.WriteValue(dbus.Array(part, signature="y"), {"type": kind}, timeout=30)

    def read(self, seconds=20):
        """The next frame: its command and payload."""
        end = time.monotonic() + seconds
        while not self._frames:
            ready, _, _ = select.select([self._in], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError(f"no frame within {seconds} s")
            piece = os.read(self._in, 1024)
            if not piece:
                raise ConnectionError("the device has ended the connection")
            self._frames += self._reader.read(piece)
        return self._frames.pop(0)

    def silent(self, seconds):
        try:
            got = self.read(seconds)
        except TimeoutError:
            return
        raise AssertionError(f"an answer where none was due: {got}")

    def close(self):
        os.close(self._in)
        try:
            self._device.Disconnect(timeout=30)
        except dbus.DBusException:
            pass  # The device may have been quicker.

class Wifi:
    """The phone's radio, in a network namespace of its own."""

    def __init__(self, namespace, interface, folder):
        self.namespace = namespace
        self._interface = interface
        self._lease_script = os.path.join(folder, "lease.sh")
        self._supplicant = None

    def scan(self):
        """SSID to {frequency, rsn, privacy} of every access point in the 2.4 GHz band."""
        in_network(self.namespace, "ip", "link", "set", self._interface, "up")
        channels = [str(2407 + 5 * channel) for channel in range(1, 14)]
        text = in_network(self.namespace, "iw", "dev", self._interface, "scan", "flush", "freq", *channels, check=False)
        seen = {}
        for block in re.split(r"^BSS ", text, flags=re.M)[1:]:
            ssid = re.search(r"^\tSSID: (.*)$", block, re.M)
            frequency = re.search(r"^\tfreq: (\d+)", block, re.M)
            if ssid and frequency:
                seen[ssid[1]] = {
                    "frequency": int(frequency[1]),
                    "rsn": re.search(r"^\tRSN:", block, re.M) is not None,
                    "psk": re.search(r"Authentication suites:.*PSK", block) is not None,
                    "privacy": re.search(r"capability:.*Privacy", block) is not None,
                }
        return seen

    def find(self, ssid, seconds=60):
        return until(f"a network named {ssid}", lambda: self.scan().get(ssid), seconds)

    def join(self, ssid, passphrase, frequency, seconds=60):
        """Joins and takes an address; answers the lease."""
        self.leave()
        security = f'psk="{passphrase}"' if passphrase else "key_mgmt=NONE"
        with open("/run/phone-wifi.conf", "w") as conf:
            # One frequency: looking through all of them takes half a minute under emulation.
            conf.write(
                "ctrl_interface=/run/phone-wifi\n"
                f'network={{\n ssid="{ssid}"\n {security}\n scan_freq={frequency}\n freq_list={frequency}\n}}\n'
            )
        with open("/run/phone-wifi.log", "w") as log:
            self._supplicant = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, "wpa_supplicant"]
                + ["-i", self._interface, "-c", "/run/phone-wifi.conf"],
                stdout=log,
                stderr=log,
            )

        def joined():
            status = in_network(
                self.namespace, "wpa_cli", "-p", "/run/phone-wifi", "-i", self._interface, "status", check=False
            )
            return "wpa_state=COMPLETED" in status

        try:
            until(f"the phone has joined {ssid}", joined, seconds)
        except TimeoutError as error:
            with open("/run/phone-wifi.log") as log:
                raise TimeoutError(f"{error}; {log.read()[-1500:]}") from None
        in_network(
            self.namespace,
            *["busybox", "udhcpc", "-i", self._interface, "-f", "-n", "-q", "-t", "10", "-T", "2"],
            *["-s", self._lease_script],
        )
        with open("/run/phone-lease.json") as lease:
            return json.load(lease)

    def leave(self):
        if self._supplicant:
            self._supplicant.terminate()
            self._supplicant.wait(20)
            self._supplicant = None
        in_network(self.namespace, "ip", "-4", "address", "flush", "dev", self._interface)


class Broadcasts:
    """Everything that comes to a UDP port of a network, with the moment it came."""

    def __init__(self, namespace, port):
        with network_of(namespace):
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        self._socket.bind(("0.0.0.0", port))
        self._got = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            data, (sender, _) = self._socket.recvfrom(2048)
            self._got.append((time.monotonic(), data, sender))

    def clear(self):
        self._got = []

    def at_least(self, count, seconds):
        until(f"{count} datagrams", lambda: len(self._got) >= count, seconds)
        return list(self._got)


def request(namespace, method, url, body=None, headers=None, seconds=20):
    """One HTTP exchange, redirects not followed: status, headers in lower case, body."""
    host, path = re.fullmatch(r"http://([^/]+)(/.*)", url).groups()
    with network_of(namespace):
        connection = http.client.HTTPConnection(host, timeout=seconds)
        connection.connect()
    content = None if body is None else json.dumps(body).encode()
    asked = {**({} if body is None else {"Content-Type": "application/json"}), **(headers or {})}
    connection.request(method, path, content, asked)
    response = connection.getresponse()
    answer = response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    connection.close()
    return answer


def resolve(namespace, server, name, seconds=10):
    """The addresses that a name server gives for a name."""
    question = b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0" + struct.pack(">HH", 1, 1)
    with network_of(namespace):
        asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    asking.settimeout(seconds)
    asking.sendto(struct.pack(">HHHHHH", 0x4711, 0x0100, 1, 0, 0, 0) + question, (server, 53))
    answer = asking.recv(2048)
    asking.close()
    count = struct.unpack(">H", answer[6:8])[0]
    at = 12 + len(question)
    addresses = []
    for _ in range(count):
        # Its name is a pointer (2 bytes) in every server of today; then type, class, time to live and length.
        kind, _, _, length = struct.unpack(">HHIH", answer[at + 2 : at + 12])
        if kind == 1:
            addresses.append(socket.inet_ntoa(answer[at + 12 : at + 12 + length]))
        at += 12 + length
    return addresses
