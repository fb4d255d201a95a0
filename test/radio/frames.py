"""The bytes that a phone and a device exchange, written from the specification alone (its sections 4.4, 4.5 and 5.4).

This is the second opinion on the box's own reading of them: nothing here is taken from the box's sources.
"""

import zlib
from dataclasses import dataclass

HEADER = bytes.fromhex("40444cfa")
ERROR, INFO, SIGNATURE, WIFI = 0x00, 0x01, 0x02, 0x03
CHECKSUM_ERROR, UNKNOWN_COMMAND = 0x02, 0x03


def frame(command: int, payload: bytes = b"") -> bytes:
    start = HEADER + bytes([command]) + len(payload).to_bytes(2, "big") + payload
    return start + bytes([sum(start) & 0xFF])


class FrameReader:
    """Puts frames together from pieces of any size, and skips what stands between two frames (padding)."""

    def __init__(self) -> None:
        self._seen = b""

    def read(self, piece: bytes) -> list[tuple[int, bytes]]:
        self._seen += piece
        frames = []
        while True:
            start = self._seen.find(HEADER)
            if start < 0:
                self._seen = self._seen[-(len(HEADER) - 1) :]
                return frames
            self._seen = self._seen[start:]
            if len(self._seen) < 8:
                return frames
            end = 7 + int.from_bytes(self._seen[5:7], "big")
            if len(self._seen) <= end:
                return frames
            whole, self._seen = self._seen[: end + 1], self._seen[end + 1 :]
            if sum(whole[:-1]) & 0xFF != whole[-1]:
                raise ValueError(f"a frame with a wrong checksum: {whole.hex()}")
            frames.append((whole[4], whole[7:-1]))


def one_frame(data: bytes) -> tuple[int, bytes]:
    frames = FrameReader().read(data)
    if len(frames) != 1 or frame(*frames[0]) != data:
        raise ValueError(f"not exactly one frame: {data.hex()}")
    return frames[0]


class Fields:
    """A payload, taken apart from its front."""

    def __init__(self, payload: bytes) -> None:
        self._rest = payload

    def take(self, length: int) -> bytes:
        if len(self._rest) < length:
            raise ValueError(f"{length} bytes wanted, {self._rest.hex()!r} left")
        taken, self._rest = self._rest[:length], self._rest[length:]
        return taken

    def number(self) -> int:
        return self.take(1)[0]

    def signed(self) -> int:
        return int.from_bytes(self.take(1), "big", signed=True)

    def text(self) -> str:
        return self.take(self.number()).decode()

    def address(self) -> str:
        return ".".join(str(byte) for byte in self.take(4))

    def end(self) -> None:
        if self._rest:
            raise ValueError(f"left over: {self._rest.hex()}")


def device_info(payload: bytes) -> tuple[str, str]:
    fields = Fields(payload)
    info = fields.text(), fields.text()
    fields.end()
    return info


def signature_reply(payload: bytes) -> tuple[str, str, str]:
    fields = Fields(payload)
    reply = fields.text(), fields.text(), fields.text()
    fields.end()
    return reply


def signature(device_id: str, random: str, product_key: str) -> str:
    return f"{zlib.crc32(f'{device_id}-{random}-{product_key}'.encode()):08x}"


def hidden_password(password: str, product_key: str, vendor: str) -> bytes:
    """Each source byte is XORed in turn with every byte of the key."""
    hidden = bytearray(f"{vendor}@{password}".encode())
    for index in range(len(hidden)):
        for key_byte in product_key.encode():
            hidden[index] ^= key_byte
    return bytes(hidden)


def wifi_settings(ssid: str, password: str, product_key: str, vendor: str) -> bytes:
    name = ssid.encode()
    secret = hidden_password(password, product_key, vendor) if password else b""
    return frame(WIFI, bytes([len(name)]) + name + bytes([len(secret)]) + secret)


@dataclass(frozen=True)
class Result:
    device_id: str
    model: str
    status: int
    error: int | None
    mac: str
    address: str
    mask: str
    gateway: str


def result(payload: bytes) -> Result:
    fields = Fields(payload)
    device_id, model, status = fields.text(), fields.text(), fields.signed()
    length = fields.number()
    error = Fields(fields.take(length)).signed() if length else None
    mac = ":".join(f"{byte:02x}" for byte in fields.take(6))
    whole = Result(device_id, model, status, error, mac, fields.address(), fields.address(), fields.address())
    fields.end()
    return whole
