"""Lights for usbcam.py: what the kernel makes an LED of, and what it makes GPIO lines of."""
import struct


def descriptor(kind, *parts):
    """A descriptor: its length, its kind, then the parts (ints are bytes)."""
    body = b''.join(bytes([p]) if isinstance(p, int) else p for p in parts)
    return bytes([len(body) + 2, kind]) + body


def u16(value):
    return struct.pack('<H', value & 0xFFFF)


class Lamp:
    """One more interface of the camera: two lamps of three colours each, 0 to 255. By the maker's numbers 27b8:01ed the
    kernel's hid-led takes it, and it is /sys/class/leds/thingm0:…"""
    # Eight bytes to and fro, under the number 1.
    REPORTS = bytes.fromhex('0600ff0901a101150026ff00750885019508 0900b20201c0')

    def __init__(self, interface, endpoint):
        self.interface, self.endpoint = interface, endpoint
        self.colours = {}
        self.answer = bytes(9)

    def descriptors(self):
        return (descriptor(4, self.interface, 0, 1, 3, 0, 0, 0)
                + descriptor(0x21, u16(0x0111), 0, 1, 0x22, u16(len(self.REPORTS)))
                + descriptor(5, 0x80 | self.endpoint, 3, u16(8), 10))

    def request(self, request, data):
        """A request of the HID class: bytes, or None for STALL."""
        if request == 9:  # SET_REPORT
            what = data[1:2]
            if what == b'v':
                # The second generation of the thing, which has more than one lamp.
                self.answer = bytes([1, 0x76, 0]) + b'2' + b'03' + bytes(3)
            elif what in (b'c', b'n'):
                self.colours[data[7]] = tuple(data[2:5])
            return b''
        return self.answer if request == 1 else b''

    def status(self):
        return [f'lamp {number} {" ".join(map(str, colours))}' for number, colours in sorted(self.colours.items())]


class Lines:
    """A device of its own: four GPIO lines of a serial converter. By the maker's numbers 10c4:ea60 the kernel's cp210x
    takes it."""

    def __init__(self):
        self.latch = 0

    def descriptors(self):
        return (descriptor(4, 0, 0, 2, 0xFF, 0, 0, 0) + descriptor(5, 0x81, 2, u16(512), 0) + descriptor(5, 0x01, 2, u16(512), 0))

    def request(self, value, index, length):
        """A request of the maker's own."""
        if value == 0x370B:  # which of the family it is: a CP2104
            return b'\x04'
        if value == 0x370C:  # the pins: all push and pull
            return struct.pack('<H2xH4xHB', 0x0F00, 0, 0, 0)
        if value == 0x00C2:
            return bytes([self.latch])
        if value == 0x37E1:
            mask, state = index & 0xFF, index >> 8
            self.latch = self.latch & ~mask | state & mask
            return b''
        return bytes(length)

    def status(self):
        return [f'lines {self.latch:04b}']
