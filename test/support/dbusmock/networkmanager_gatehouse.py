"""NetworkManager for the tests: the networkmanager template of python-dbusmock, and with it wifi that behaves: a scan takes a moment, a
hotspot opens, networks are joined step by step, and refused as NetworkManager refuses them.

Control methods are those of the interface org.freedesktop.NetworkManager.Mock.
"""

import dbus
import dbus.service
import dbusmock
from gi.repository import GLib

from dbusmock.templates import networkmanager as base
from dbusmock.templates.networkmanager import *  # noqa: F403  the methods of the template become ours

MOCK = 'org.freedesktop.NetworkManager.Mock'
IP4_IFACE = 'org.freedesktop.NetworkManager.IP4Config'
STEP_MS = 30
# ssid, as bytes -> {'key': str, 'behaviour': str}
networks = {}
# What was activated, oldest first: settings with the secrets, as text.
activated = []
counter = {'active': 100, 'ip': 0}
# Error name and message for the next ActivateConnection, or None.
refusal = {'next': None}
# NMDeviceStateReason of the next hotspot, or None: it opens.
hotspot_failure = {'reason': None}


def connection_update(self, settings):
    """Like NetworkManager, which saves and leaves what is in force alone."""
    self.settings = settings
    self.updated = True


base.ConnectionUpdate = connection_update


def load(mock, parameters):
    base.load(mock, parameters)
    manager = dbusmock.get_object(base.MANAGER_OBJ)
    manager.activate_connection = activate
    manager.AddProperty(base.MANAGER_IFACE, 'ConnectivityCheckEnabled', dbus.Boolean(False))


@dbus.service.method(MOCK, in_signature='s', out_signature='s')
def AddWifi(self, interface):
    """A wifi interface, disconnected, that can scan. Answers its path."""
    path = self.AddWiFiDevice(interface, interface, base.DeviceState.DISCONNECTED)
    device = dbusmock.get_object(path)
    device.AddProperty(base.WIRELESS_DEVICE_IFACE, 'LastScan', dbus.Int64(1))
    device.AddProperty(base.DEVICE_IFACE, 'Ip4Config', dbus.ObjectPath('/'))
    device.scans = 1

    def scan():
        device.scans += 1
        device.UpdateProperties(base.WIRELESS_DEVICE_IFACE, {'LastScan': dbus.Int64(device.scans)})
        return False

    device.start_scan = lambda: GLib.timeout_add(STEP_MS, scan)
    device.AddMethod(base.WIRELESS_DEVICE_IFACE, 'RequestScan', 'a{sv}', '', 'self.start_scan()')
    return path


@dbus.service.method(MOCK, in_signature='s', out_signature='')
def RemoveWifi(self, interface):
    """The interface is unplugged."""
    path = '/org/freedesktop/NetworkManager/Devices/' + interface
    manager = dbusmock.get_object(base.MANAGER_OBJ)
    manager.EmitSignal(base.MANAGER_IFACE, 'DeviceRemoved', 'o', [dbus.ObjectPath(path)])
    self.RemoveObject(path)


@dbus.service.method(MOCK, in_signature='ssusuuu', out_signature='')
def AddNetwork(self, ssid, key, strength, behaviour, flags, wpa, rsn):
    """A network in the air. `behaviour`: ok, late-address (activated before it says which address), no-dhcp, silent, hidden (ok, but in no scan)."""
    networks[str(ssid).encode()] = {'key': str(key), 'behaviour': str(behaviour)}
    if behaviour == 'hidden':
        return
    for path in [p for p in dbusmock.get_object(base.MANAGER_OBJ).GetDevices()
                 if dbusmock.get_object(p).Get(base.DEVICE_IFACE, 'DeviceType') == 2]:
        name = 'ap%d' % len(networks)
        point = self.AddAccessPoint(path, name, str(ssid), '00:00:00:00:00:01', 2, 2437, 54, strength, 0)
        dbusmock.get_object(point).UpdateProperties(base.ACCESS_POINT_IFACE, {
            'Flags': dbus.UInt32(flags), 'WpaFlags': dbus.UInt32(wpa), 'RsnFlags': dbus.UInt32(rsn)})


@dbus.service.method(MOCK, in_signature='say', out_signature='')
def SendNameAs(_self, ssid, sent):
    """The router of the network sends its name in these bytes."""
    name = str(ssid).encode()
    networks[bytes(sent)] = networks.pop(name)
    for path in [p for p in dbusmock.get_object(base.MANAGER_OBJ).GetDevices()
                 if dbusmock.get_object(p).Get(base.DEVICE_IFACE, 'DeviceType') == 2]:
        for point in dbusmock.get_object(path).GetAllAccessPoints():
            found = dbusmock.get_object(point)
            if bytes(found.Get(base.ACCESS_POINT_IFACE, 'Ssid')) == name:
                found.UpdateProperties(base.ACCESS_POINT_IFACE, {'Ssid': dbus.Array(sent, signature='y')})


@dbus.service.method(MOCK, in_signature='ss', out_signature='')
def RefuseNextActivation(_self, error, message):
    """The next ActivateConnection fails with this D-Bus error."""
    refusal['next'] = (str(error), str(message))


@dbus.service.method(MOCK, in_signature='i', out_signature='')
def FailHotspots(_self, reason):
    """Hotspots end with this NMDeviceStateReason; -1: they open again."""
    hotspot_failure['reason'] = None if reason < 0 else int(reason)


@dbus.service.method(MOCK, in_signature='', out_signature='as')
def Activated(_self):
    """What was activated, oldest first: `ap NAME KEY ADDRESS` or `infrastructure NAME KEY`."""
    return dbus.Array(activated, signature='s')


@dbus.service.method(MOCK, in_signature='', out_signature='as')
def Saved(_self):
    """Names of the profiles that would be there after a restart."""
    paths = dbusmock.get_object(base.SETTINGS_OBJ).ListConnections()
    found = [dbusmock.get_object(p) for p in paths]
    return dbus.Array([str(c.settings['connection']['id']) for c in found if getattr(c, 'updated', False)], signature='s')


@dbus.service.method(MOCK, in_signature='', out_signature='as')
def Profiles(_self):
    """Names of all profiles."""
    paths = dbusmock.get_object(base.SETTINGS_OBJ).ListConnections()
    return dbus.Array([str(dbusmock.get_object(p).settings['connection']['id']) for p in paths], signature='s')


def move(device, state, reason=0):
    old = device.Get(base.DEVICE_IFACE, 'State')
    device.UpdateProperties(base.DEVICE_IFACE, {'State': dbus.UInt32(state)})
    device.EmitSignal(base.DEVICE_IFACE, 'StateChanged', 'uuu',
                      [dbus.UInt32(state), dbus.UInt32(old), dbus.UInt32(reason)])


def outcome_of(settings):
    """Where the way ends: None (joined), a reason of NMDeviceStateReason, or `silent`."""
    wireless = settings['802-11-wireless']
    if str(wireless.get('mode', '')) == 'ap':
        return hotspot_failure['reason']
    network = networks.get(bytes(wireless['ssid']))
    if network is None or (network['behaviour'] == 'hidden' and not wireless.get('hidden', False)):
        return 53
    security = settings.get('802-11-wireless-security', {})
    key = str(security.get('psk', security.get('wep-key0', '')))
    if network['behaviour'] == 'silent':
        return 'silent'
    if key != network['key']:
        return 7
    return 17 if network['behaviour'] == 'no-dhcp' else None


def behaviour_of(settings):
    return networks.get(bytes(settings['802-11-wireless']['ssid']), {}).get('behaviour')


def note(settings):
    wireless = settings['802-11-wireless']
    security = settings.get('802-11-wireless-security', {})
    words = [str(wireless['mode']), bytes(wireless['ssid']).decode(errors='backslashreplace'), str(security.get('psk', security.get('wep-key0', '')))]
    if words[0] == 'ap':
        words.append(str(settings['ipv4']['address-data'][0]['address']))
    activated.append(' '.join(words))


def activate(self, connection, device_path, _specific):
    if refusal['next']:
        name, message = refusal['next']
        refusal['next'] = None
        raise dbus.exceptions.DBusException(message, name=name)
    device = dbusmock.get_object(device_path)
    profile = dbusmock.get_object(connection)
    note(profile.settings)
    end = outcome_of(profile.settings)
    for old in list(self.Get(base.MANAGER_IFACE, 'ActiveConnections')):
        if device_path in dbusmock.get_object(old).Get(base.ACTIVE_CONNECTION_IFACE, 'Devices'):
            self.RemoveActiveConnection(device_path, old)
    counter['active'] += 1
    name = str(counter['active'])
    states = [40, 50, 60, 70] if end in (None, 17) else [40, 50, 60]

    def finish():
        if end is None:
            counter['ip'] += 1
            path = '/org/freedesktop/NetworkManager/IP4Config/%d' % counter['ip']
            shared = str(profile.settings['ipv4']['method']) == 'shared'
            address = '10.192.168.1' if shared else '192.168.50.17'
            self.AddObject(path, IP4_IFACE, {
                'AddressData': dbus.Array([dbus.Dictionary({'address': address, 'prefix': dbus.UInt32(24)},
                                                           signature='sv')], signature='a{sv}'),
                'Gateway': '' if shared else '192.168.50.1',
            }, [])
            shown = lambda: device.Set(base.DEVICE_IFACE, 'Ip4Config', dbus.ObjectPath(path)) and False
            if behaviour_of(profile.settings) == 'late-address':
                GLib.timeout_add(STEP_MS * 5, shown)
            else:
                shown()
            # Sets the device's state to activated, with its signal.
            self.AddActiveConnection([device_path], connection, '/', name, dbus.UInt32(2))
        elif end != 'silent':
            move(device, 120, end)
            move(device, 30, 0)
        return False

    for step, state in enumerate(states):
        GLib.timeout_add(STEP_MS * (step + 1), lambda state=state: move(device, state) and False)
    GLib.timeout_add(STEP_MS * (len(states) + 1), finish)
    return dbus.ObjectPath('/org/freedesktop/NetworkManager/ActiveConnection/' + name)
