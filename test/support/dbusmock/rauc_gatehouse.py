"""RAUC 1.13 for the tests: what it answers, and how it goes when it installs. A bundle is a file of JSON: compatible, version, description,
and `signed`, which says who signed it. The parameter `root` is the folder in which paths of bundles begin, `handlers` a command that is run
where RAUC runs its handlers.

Control methods are those of the interface de.pengutronix.rauc.Mock.
"""

import json
import subprocess

import dbus
import dbus.service
from gi.repository import GLib

BUS_NAME = 'de.pengutronix.rauc'
MAIN_OBJ = '/'
MAIN_IFACE = 'de.pengutronix.rauc.Installer'
SYSTEM_BUS = True

MOCK = 'de.pengutronix.rauc.Mock'
ERROR = 'org.gtk.GDBus.UnmappedGError.Quark._g_2dio_2derror_2dquark.Code30'
STEP_MS = 40
# What goes wrong with the next installation; it waits for Release.
next_install = {'fails': '', 'held': False}
# What was marked, oldest first.
marked = []


def progress(percent, says, depth=1):
    return dbus.Struct((dbus.Int32(percent), dbus.String(says), dbus.Int32(depth)), signature='isi')


def load(mock, parameters):
    mock.slots = parameters.get('slots', [])
    mock.root = parameters.get('root', '')
    mock.handlers = parameters.get('handlers', [])
    mock.AddProperties(
        MAIN_IFACE,
        {
            'Operation': dbus.String('idle'),
            'LastError': dbus.String(''),
            'Progress': progress(0, '', 0),
            'Compatible': dbus.String(parameters.get('compatible', 'gatehouse-generic-arm64')),
            'Variant': dbus.String(''),
            'BootSlot': dbus.String('A'),
        },
    )


def change(mock, properties):
    """UpdateProperties of python-dbusmock cannot wrap a struct."""
    mock.props[MAIN_IFACE].update(properties)
    mock.EmitSignal(
        dbus.PROPERTIES_IFACE,
        'PropertiesChanged',
        'sa{sv}as',
        [MAIN_IFACE, dbus.Dictionary(properties, signature='sv'), dbus.Array([], signature='s')],
    )


def read_bundle(mock, source):
    try:
        with open(mock.root + source, encoding='utf-8') as file:
            bundle = json.load(file)
    except FileNotFoundError:
        raise dbus.exceptions.DBusException(f'No such file: {source}', name=ERROR)
    except ValueError:
        raise dbus.exceptions.DBusException('Invalid bundle format', name=ERROR)
    if bundle.get('signed') != 'by us':
        raise dbus.exceptions.DBusException(
            'signature verification failed: Verify error: unable to get local issuer certificate', name=ERROR
        )
    return bundle


@dbus.service.method(MAIN_IFACE, in_signature='sa{sv}', out_signature='a{sv}')
def InspectBundle(self, source, args):
    bundle = read_bundle(self, source)
    update = {key: dbus.String(bundle[key]) for key in ('compatible', 'version', 'description') if key in bundle}
    return {
        'manifest-hash': dbus.String('0' * 64),
        'update': dbus.Dictionary(update, signature='sv', variant_level=1),
        'bundle': dbus.Dictionary({'format': dbus.String('verity')}, signature='sv', variant_level=1),
    }


@dbus.service.method(MAIN_IFACE, in_signature='sa{sv}', out_signature='')
def InstallBundle(self, source, args):
    if self.Get(MAIN_IFACE, 'Operation') == 'installing':
        raise dbus.exceptions.DBusException('already processing a different method', name=ERROR)
    change(
        self,
        {'Operation': dbus.String('installing'), 'LastError': dbus.String(''), 'Progress': progress(0, 'Installing')},
    )
    failure = next_install['fails']
    try:
        bundle = read_bundle(self, source)
        if not args.get('ignore-compatible') and bundle['compatible'] != self.Get(MAIN_IFACE, 'Compatible'):
            failure = 'Compatible mismatch'
    except dbus.exceptions.DBusException as error:
        failure = error.get_dbus_message()
    steps = [20, 40, 60, 80]

    def step():
        nonlocal failure
        if next_install['held']:
            change(self, {'Progress': progress(1, 'Determining slot states')})
            return True
        if steps and not failure:
            percent = steps.pop(0)
            change(self, {'Progress': progress(percent, 'Copying image to rootfs.1', 3)})
            return True
        next_install['fails'] = ''
        if not failure and self.handlers and subprocess.run(self.handlers, check=False).returncode != 0:
            failure = 'Handler error'
        says = 'Installing failed.' if failure else 'Installing done.'
        change(
            self,
            {'Progress': progress(100, says), 'LastError': dbus.String(failure), 'Operation': dbus.String('idle')},
        )
        self.EmitSignal(MAIN_IFACE, 'Completed', 'i', [dbus.Int32(1 if failure else 0)])
        return False

    GLib.timeout_add(STEP_MS, step)


@dbus.service.method(MAIN_IFACE, in_signature='ss', out_signature='ss')
def Mark(self, state, slot_identifier):
    marked.append(f'{state} {slot_identifier}')
    return ('rootfs.1', f'{state} slot rootfs.1')


@dbus.service.method(MAIN_IFACE, in_signature='', out_signature='a(sa{sv})')
def GetSlotStatus(self):
    return dbus.Array(
        [
            dbus.Struct(
                (dbus.String(name), dbus.Dictionary({key: dbus.String(value) for key, value in status.items()}, signature='sv')),
                signature='sa{sv}',
            )
            for name, status in self.slots
        ],
        signature='(sa{sv})',
    )


@dbus.service.method(MOCK, in_signature='s', out_signature='')
def FailNext(self, reason):
    next_install['fails'] = reason


@dbus.service.method(MOCK, in_signature='b', out_signature='')
def Hold(self, held):
    """Installations stand still as soon as they have begun."""
    next_install['held'] = held


@dbus.service.method(MOCK, in_signature='', out_signature='as')
def Marked(self):
    return dbus.Array(marked, signature='s')
