"""bluetoothd for the tests: the bluez5 template of python-dbusmock, and with it

- site devices whose GATT characteristics answer the frames of SPEC 4.4 (AddSiteDevice), written from the specification and not from the
  code under test;
- GattManager1 and LEAdvertisingManager1 on every adapter, with a phone on the other side that tests play (Central...).

All control methods are those of the interface org.bluez.Mock at "/".
"""

import zlib

import dbus
import dbus.service
from gi.repository import GLib

from dbusmock import OBJECT_MANAGER_IFACE, mockobject
from dbusmock.templates import bluez5
from dbusmock.templates.bluez5 import *  # noqa: F403  the methods of the template become ours

GATT_MANAGER_IFACE = 'org.bluez.GattManager1'
ADVERTISING_IFACE = 'org.bluez.LEAdvertisingManager1'
ADVERTISEMENT_IFACE = 'org.bluez.LEAdvertisement1'
SERVICE_IFACE = 'org.bluez.GattService1'
CHARACTERISTIC_IFACE = 'org.bluez.GattCharacteristic1'
DEVICE_IFACE = bluez5.DEVICE_IFACE
MOCK = bluez5.BLUEZ_MOCK_IFACE
NAMES = {'GattManager1': 'application', 'LEAdvertisingManager1': 'advertisement'}

# What the box has registered: (kind, path) -> the name of its connection.
registered = {}
# Of the next registration: (error name, message), or None.
refusal = {'next': None}
# What the registered application has notified: UUID -> list of byte strings.
notified = {}
receivers = {}


introspect = dbus.service.Object.Introspect


def introspect_with_signal(self, path, connection):
    """python-dbusmock sends PropertiesChanged and does not tell of it, which clients that ask what there is take at its word."""
    interface = '<interface name="org.freedesktop.DBus.Properties">'
    signal = '<signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal>'
    return introspect(self, path, connection).replace(interface, interface + signal)


def load(mock, parameters):
    dbus.service.Object.Introspect = introspect_with_signal
    bluez5.load(mock, parameters)


# --- The box as a peripheral: GattManager1, LEAdvertisingManager1, and the phone ---


def register(kind, mock, path, sender, done, failed):
    if refusal['next']:
        name, message = refusal['next']
        refusal['next'] = None
        failed(dbus.exceptions.DBusException(message, name=name))
        return
    if (kind, str(path)) in registered:
        failed(dbus.exceptions.DBusException('Already registered', name='org.bluez.Error.AlreadyExists'))
        return
    proxy = mock.connection.get_object(sender, path, introspect=False)

    def gone(owner):
        if owner == '' and registered.get((kind, str(path))) == str(sender):
            del registered[(kind, str(path))]

    # What a connection registered goes with it.
    def answered(*_):
        registered[(kind, str(path))] = str(sender)
        mock.connection.watch_name_owner(sender, gone)
        done()

    # bluetoothd reads what is registered before it answers, and refuses what it cannot read.
    def unreadable(error):
        failed(dbus.exceptions.DBusException(str(error), name='org.bluez.Error.Failed'))

    if kind == 'application':
        dbus.Interface(proxy, OBJECT_MANAGER_IFACE).GetManagedObjects(reply_handler=answered, error_handler=unreadable)
    else:
        dbus.Interface(proxy, dbus.PROPERTIES_IFACE).GetAll(
            ADVERTISEMENT_IFACE, reply_handler=answered, error_handler=unreadable)


def unregister(kind, path):
    if registered.pop((kind, str(path)), None) is None:
        raise dbus.exceptions.DBusException('Does not exist', name='org.bluez.Error.DoesNotExist')


@dbus.service.method(GATT_MANAGER_IFACE, in_signature='oa{sv}', out_signature='', sender_keyword='sender',
                     async_callbacks=('done', 'failed'))
def RegisterApplication(adapter, application, _options, sender=None, done=None, failed=None):
    register('application', adapter, application, sender, done, failed)


@dbus.service.method(GATT_MANAGER_IFACE, in_signature='o', out_signature='')
def UnregisterApplication(_adapter, application):
    unregister('application', application)


@dbus.service.method(ADVERTISING_IFACE, in_signature='oa{sv}', out_signature='', sender_keyword='sender',
                     async_callbacks=('done', 'failed'))
def RegisterAdvertisement(adapter, advertisement, _options, sender=None, done=None, failed=None):
    register('advertisement', adapter, advertisement, sender, done, failed)


@dbus.service.method(ADVERTISING_IFACE, in_signature='o', out_signature='')
def UnregisterAdvertisement(_adapter, advertisement):
    unregister('advertisement', advertisement)


@dbus.service.method(MOCK, in_signature='ss', out_signature='s')
def AddAdapter(self, device_name, system_name):
    """An adapter that is a central and a peripheral. Answers its path."""
    path = bluez5.AddAdapter(self, device_name, system_name)
    adapter = mockobject.objects[path]
    for fn in (RegisterApplication, UnregisterApplication, RegisterAdvertisement, UnregisterAdvertisement):
        logged = mockobject.loggedmethod(adapter, fn)
        adapter.methods.setdefault(fn._dbus_interface, {})[fn.__name__] = (
            fn._dbus_in_signature, fn._dbus_out_signature, '', logged)
    adapter.AddProperties(ADVERTISING_IFACE, {
        'ActiveInstances': dbus.Byte(0),
        'SupportedInstances': dbus.Byte(5),
        'SupportedIncludes': dbus.Array(['tx-power', 'appearance', 'local-name'], signature='s'),
    })
    adapter.props[bluez5.ADAPTER_IFACE].setdefault('DiscoveryFilter', None)
    del adapter.props[bluez5.ADAPTER_IFACE]['DiscoveryFilter']
    return path


@dbus.service.method(MOCK, in_signature='s')
def RemoveAdapter(self, device_name):
    """The adapter is unplugged, and what was registered at it is gone."""
    registered.clear()
    bluez5.RemoveAdapter(self, device_name)


@dbus.service.method(MOCK, in_signature='ss', out_signature='')
def RefuseNextRegistration(_self, error, message):
    """The next RegisterApplication or RegisterAdvertisement fails with this D-Bus error."""
    refusal['next'] = (str(error), str(message))


@dbus.service.method(MOCK, in_signature='', out_signature='a(ss)')
def Registered(_self):
    """What is registered at the moment: (`application` | `advertisement`, path)."""
    return dbus.Array([(kind, path) for kind, path in registered], signature='(ss)')


def owner_of(kind):
    for (one, path), sender in registered.items():
        if one == kind:
            return sender, path
    raise dbus.exceptions.DBusException(f'no {kind} is registered', name=MOCK + '.NotRegistered')


@dbus.service.method(MOCK, in_signature='', out_signature='a{oa{sa{sv}}}', async_callbacks=('done', 'failed'))
def ApplicationObjects(self, done=None, failed=None):
    """GetManagedObjects of the registered application."""
    sender, path = owner_of('application')
    proxy = self.connection.get_object(sender, path, introspect=False)
    dbus.Interface(proxy, OBJECT_MANAGER_IFACE).GetManagedObjects(reply_handler=done, error_handler=failed)


@dbus.service.method(MOCK, in_signature='', out_signature='a{sv}', async_callbacks=('done', 'failed'))
def Advertisement(self, done=None, failed=None):
    """The properties of the registered advertisement."""
    sender, path = owner_of('advertisement')
    proxy = self.connection.get_object(sender, path, introspect=False)
    dbus.Interface(proxy, dbus.PROPERTIES_IFACE).GetAll(ADVERTISEMENT_IFACE, reply_handler=done, error_handler=failed)


def with_characteristic(self, uuid, found, failed):
    """Calls found(interface, sender, path) with the characteristic of this UUID of the registered application."""
    sender, application = owner_of('application')

    def look(objects):
        for path, interfaces in objects.items():
            properties = interfaces.get(CHARACTERISTIC_IFACE)
            if properties and str(properties['UUID']).lower() == str(uuid).lower():
                proxy = self.connection.get_object(sender, path, introspect=False)
                return found(dbus.Interface(proxy, CHARACTERISTIC_IFACE), sender, path)
        return failed(dbus.exceptions.DBusException(f'no characteristic {uuid}', name=MOCK + '.NotFound'))

    proxy = self.connection.get_object(sender, application, introspect=False)
    dbus.Interface(proxy, OBJECT_MANAGER_IFACE).GetManagedObjects(reply_handler=look, error_handler=failed)


@dbus.service.method(MOCK, in_signature='saya{sv}', out_signature='', async_callbacks=('done', 'failed'))
def CentralWrite(self, uuid, value, options, done=None, failed=None):
    """A phone writes to this characteristic of the registered application; answers when the application has. The options are those of
    WriteValue; `device` names the phone."""
    told = {'device': dbus.ObjectPath('/org/bluez/hci0/dev_5E_00_00_00_00_01', variant_level=1),
            'mtu': dbus.UInt16(23, variant_level=1), 'link': dbus.String('LE', variant_level=1),
            'type': dbus.String('command', variant_level=1)}
    told.update(options)
    with_characteristic(self, uuid, lambda interface, *_: interface.WriteValue(
        dbus.Array(value, signature='y'), dbus.Dictionary(told, signature='sv'),
        reply_handler=lambda *_: done(), error_handler=failed), failed)


@dbus.service.method(MOCK, in_signature='s', out_signature='', async_callbacks=('done', 'failed'))
def CentralSubscribe(self, uuid, done=None, failed=None):
    """A phone subscribes: StartNotify, and what is notified from now on is collected."""
    def subscribe(interface, sender, path):
        def changed(name, properties, _invalidated):
            if name == CHARACTERISTIC_IFACE and 'Value' in properties:
                notified.setdefault(str(uuid), []).append(bytes(bytearray(properties['Value'])))
        receivers[str(uuid)] = self.connection.add_signal_receiver(
            changed, 'PropertiesChanged', dbus.PROPERTIES_IFACE, bus_name=sender, path=path)
        interface.StartNotify(reply_handler=lambda *_: done(), error_handler=failed)
    with_characteristic(self, uuid, subscribe, failed)


@dbus.service.method(MOCK, in_signature='s', out_signature='', async_callbacks=('done', 'failed'))
def CentralUnsubscribe(self, uuid, done=None, failed=None):
    """The phone goes: StopNotify, and nothing more is collected."""
    if str(uuid) in receivers:
        receivers.pop(str(uuid)).remove()
    with_characteristic(self, uuid, lambda interface, *_: interface.StopNotify(
        reply_handler=lambda *_: done(), error_handler=failed), failed)


@dbus.service.method(MOCK, in_signature='s', out_signature='aay')
def CentralNotifications(_self, uuid):
    """What was notified since this was called last, one value for each notification."""
    return dbus.Array([dbus.ByteArray(value) for value in notified.pop(str(uuid), [])], signature='ay')


# --- Site devices that wait to be set up: the other side of SPEC 4.4 ---

UART = ('6e400001-b5a3-f393-e0a9-e50e24dcca9e', '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
        '6e400003-b5a3-f393-e0a9-e50e24dcca9e')


def short(number):
    return f'0000{number}-0000-1000-8000-00805f9b34fb'


# Service, then UUID and flags of each characteristic.
PROFILES = {
    'uart': (UART[0], [(UART[1], ['write', 'write-without-response']), (UART[2], ['notify'])]),
    'ffe0': (short('ffe0'), [(short('ffe1'), ['read', 'write-without-response', 'notify'])]),
    'fff0': (short('fff0'), [(short('fff1'), ['notify']), (short('fff2'), ['write'])]),
    'fff0 swapped': (short('fff0'), [(short('fff1'), ['write']), (short('fff2'), ['notify'])]),
    'own': ('12340000-0000-4000-8000-000000000000', [
        ('12340001-0000-4000-8000-000000000000', ['read']),
        ('12340002-0000-4000-8000-000000000000', ['indicate']),
        ('12340003-0000-4000-8000-000000000000', ['write'])]),
    'none': (short('180f'), [(short('2a19'), ['read', 'notify'])]),
}

site_devices = {}


def frame(command, payload):
    whole = bytes([0x40, 0x44, 0x4c, 0xfa, command]) + len(payload).to_bytes(2, 'big') + payload
    return whole + bytes([sum(whole) & 0xff])


def field(value):
    raw = value if isinstance(value, bytes) else value.encode()
    return bytes([len(raw)]) + raw


def exclusive_or(data, key, form):
    if form == 'repeat':
        return bytes(byte ^ key[index % len(key)] for index, byte in enumerate(data))
    for byte in key:
        data = bytes(one ^ byte for one in data)
    return data


class SiteDevice:
    """What one device is and has heard. `behaviour`: '' | 'silent' | 'old' (knows command 0x01 alone) | 'signs in 0x01' | 'checksum' |
    'decimal' (writes its signature as a number) | 'drops' (leaves when wifi is asked for)."""

    def __init__(self, options):
        self.device_id = str(options.get('device_id', 'FACE-T1_A0001'))
        self.model = str(options.get('model', 'FT1'))
        self.key = str(options.get('key', 's3cret')).encode()
        self.marker = str(options.get('marker', 'VENDOR@')).encode()
        self.ssid = str(options.get('ssid', 'Plant')).encode()
        self.wifi_key = str(options.get('wifi_key', 'secret123')).encode()
        self.form = str(options.get('form', 'fold'))
        self.behaviour = str(options.get('behaviour', ''))
        self.profile = str(options.get('profile', 'uart'))
        self.piece = int(options.get('piece', 20))
        self.mtu = int(options.get('mtu', 0))
        self.refuses = str(options.get('refuses', ''))
        self.heard = b''
        self.writes = []
        self.notify_path = None

    def answer(self, data):
        """The frames that this packet completes, answered."""
        self.writes.append(bytes(data))
        self.heard += bytes(data)
        while len(self.heard) >= 8:
            start = self.heard.find(bytes([0x40, 0x44, 0x4c, 0xfa]))
            if start < 0:
                self.heard = b''
                return
            self.heard = self.heard[start:]
            length = int.from_bytes(self.heard[5:7], 'big')
            if len(self.heard) < length + 8:
                return
            whole, self.heard = self.heard[:length + 8], self.heard[length + 8:]
            if sum(whole[:-1]) & 0xff != whole[-1]:
                self.say(frame(0x00, b'\x02checksum'))
            else:
                self.take(whole[4], whole[7:-1])

    def take(self, command, payload):
        if self.behaviour == 'silent':
            return
        if self.behaviour == 'checksum':
            self.say(frame(command, b'\x01A\x01B')[:-1] + b'\x00')
        elif command == 0x01 and not payload:
            self.say(frame(0x01, field(self.device_id) + field(self.model)))
        elif command == 0x01 or (command == 0x02 and self.behaviour != 'old'):
            number = zlib.crc32(self.device_id.encode() + b'-' + payload + b'-' + self.key)
            text = str(number) if self.behaviour == 'decimal' else f'{number:08x}'
            answered = 0x01 if self.behaviour == 'signs in 0x01' else command
            self.say(frame(answered, field(text) + field(self.device_id) + field(self.model)))
        elif command == 0x03:
            self.join(payload)
        else:
            self.say(frame(0x00, b'\x03unknown command'))

    def join(self, payload):
        ssid = payload[1:1 + payload[0]]
        rest = payload[1 + payload[0]:]
        secret = rest[1:1 + rest[0]]
        if self.behaviour == 'drops':
            leave(self)
            return
        password = b''
        if secret:
            opened = exclusive_or(secret, self.key, self.form)
            if not opened.startswith(self.marker):
                return  # SPEC 5.4: the message is ignored
            password = opened[len(self.marker):]
        good = ssid == self.ssid and password == self.wifi_key
        outcome = bytes([0, 0]) if good else bytes([0xfe, 1, 0xfd])
        place = bytes([192, 168, 1, 57, 255, 255, 255, 0, 192, 168, 1, 1]) if good else bytes(12)
        self.say(frame(0x03, field(self.device_id) + field(self.model) + outcome + bytes([2, 0, 0, 0, 1, 0]) + place))

    def say(self, whole):
        pieces = [whole[at:at + self.piece] for at in range(0, len(whole), self.piece)]
        # Behind the answer to the write, as a radio would.
        GLib.idle_add(lambda: [self.notify(one) for one in pieces] and False)

    def notify(self, value):
        characteristic = mockobject.objects.get(self.notify_path)
        if characteristic is None or not characteristic.props[CHARACTERISTIC_IFACE]['Notifying']:
            return
        characteristic.EmitSignal(dbus.PROPERTIES_IFACE, 'PropertiesChanged', 'sa{sv}as', [
            CHARACTERISTIC_IFACE, {'Value': dbus.Array(value, signature='y', variant_level=1)}, []])


def write_value(characteristic, value, _options):
    device = site_devices[str(characteristic.path).rsplit('/', 2)[0]]
    device.answer(bytes(bytearray(value)))


def start_notify(characteristic):
    characteristic.props[CHARACTERISTIC_IFACE]['Notifying'] = dbus.Boolean(True)


def stop_notify(characteristic):
    characteristic.props[CHARACTERISTIC_IFACE]['Notifying'] = dbus.Boolean(False)


def added(path, interface):
    mockobject.objects['/'].EmitSignal(OBJECT_MANAGER_IFACE, 'InterfacesAdded', 'oa{sa{sv}}', [
        dbus.ObjectPath(path), {interface: mockobject.objects[path].props[interface]}])


def connect(device):
    path = str(device.path)
    known = site_devices[path]
    if known.refuses:
        raise dbus.exceptions.DBusException(known.refuses, name='org.bluez.Error.Failed')
    if device.props[DEVICE_IFACE]['Connected']:
        return
    device.UpdateProperties(DEVICE_IFACE, {'Connected': dbus.Boolean(True)})
    service, characteristics = PROFILES[known.profile]
    service_path = f'{path}/service0010'
    if service_path not in mockobject.objects:
        device.AddObject(service_path, SERVICE_IFACE, {
            'UUID': dbus.String(service), 'Primary': dbus.Boolean(True), 'Device': dbus.ObjectPath(path)}, [])
        added(service_path, SERVICE_IFACE)
        for index, (uuid, flags) in enumerate(characteristics):
            own = f'{service_path}/char{index + 17:04x}'
            properties = {
                'UUID': dbus.String(uuid), 'Service': dbus.ObjectPath(service_path),
                'Flags': dbus.Array(flags, signature='s'), 'Notifying': dbus.Boolean(False)}
            if known.mtu:
                properties['MTU'] = dbus.UInt16(known.mtu)
            device.AddObject(own, CHARACTERISTIC_IFACE, properties, [
                ('WriteValue', 'aya{sv}', '', write_value),
                ('StartNotify', '', '', start_notify),
                ('StopNotify', '', '', stop_notify)])
            added(own, CHARACTERISTIC_IFACE)
            if {'notify', 'indicate'} & set(flags):
                known.notify_path = own
    device.UpdateProperties(DEVICE_IFACE, {'ServicesResolved': dbus.Boolean(True)})


def disconnect(device):
    device.UpdateProperties(DEVICE_IFACE, {'Connected': dbus.Boolean(False), 'ServicesResolved': dbus.Boolean(False)})


def leave(known):
    for path, one in site_devices.items():
        if one is known and path in mockobject.objects:
            disconnect(mockobject.objects[path])


@dbus.service.method(MOCK, in_signature='sssa{sv}', out_signature='s')
def AddSiteDevice(self, adapter, address, name, options):
    """A device in range that waits to be set up; the options are the attributes of SiteDevice. Answers its path."""
    path = f"/org/bluez/{adapter}/dev_{str(address).replace(':', '_').upper()}"
    site_devices[path] = SiteDevice(options)
    uuids = [PROFILES[site_devices[path].profile][0]] if options.get('advertises', True) else []
    properties = {
        'Address': dbus.String(address), 'AddressType': dbus.String('random'), 'Name': dbus.String(name),
        'Alias': dbus.String(name), 'UUIDs': dbus.Array(uuids, signature='s'), 'Paired': dbus.Boolean(False),
        'Connected': dbus.Boolean(False), 'Trusted': dbus.Boolean(False), 'Blocked': dbus.Boolean(False),
        'Adapter': dbus.ObjectPath(f'/org/bluez/{adapter}'), 'RSSI': dbus.Int16(-61),
        'ServicesResolved': dbus.Boolean(False)}
    self.AddObject(path, DEVICE_IFACE, properties, [('Connect', '', '', connect), ('Disconnect', '', '', disconnect)])
    added(path, DEVICE_IFACE)
    return path


@dbus.service.method(MOCK, in_signature='ss', out_signature='aay')
def WrittenTo(_self, adapter, address):
    """The packets that were written to a site device, one value for each."""
    path = f"/org/bluez/{adapter}/dev_{str(address).replace(':', '_').upper()}"
    return dbus.Array([dbus.ByteArray(value) for value in site_devices[path].writes], signature='ay')


@dbus.service.method(MOCK, in_signature='ssa{sv}', out_signature='')
def ChangeSiteDevice(_self, adapter, address, options):
    """Changes attributes of a site device, such as its behaviour."""
    path = f"/org/bluez/{adapter}/dev_{str(address).replace(':', '_').upper()}"
    for name, value in options.items():
        current = getattr(site_devices[path], str(name))
        setattr(site_devices[path], str(name), str(value).encode() if isinstance(current, bytes) else type(current)(value))
