import { Message as BusMessage, type Message, sessionBus, Variant } from 'dbus-next';
import { expect, test } from 'vitest';
import { ourTemplate, suiteWithBus, TestBus } from './dbus.ts';

const uuid = '6e400002-b5a3-f393-e0a9-e50e24dcca9e';
const characteristic = 'org.bluez.GattCharacteristic1';

suiteWithBus('the simulated bluetoothd', () => {
  test('registers an application and an advertisement, writes to it as a phone does, and collects what it notifies', async () => {
    await using bus = await TestBus.open();
    const bluez = await bus.mock(ourTemplate('bluez5_gatehouse'));
    expect(await bluez.control('AddAdapter', 'ss', 'hci0', 'box')).toBe('/org/bluez/hci0');

    // A peripheral of nothing but messages.
    const heard: Buffer[] = [];
    const box = sessionBus({ busAddress: bus.address });
    const objects = {
      '/app/service0/char0': {
        [characteristic]: { UUID: new Variant('s', uuid), Flags: new Variant('as', ['write', 'notify']) },
      },
    };
    box.addMethodHandler((message: Message) => {
      const answer = (signature: string, body: unknown[]) => {
        box.send(BusMessage.newMethodReturn(message, signature, body));
        return true;
      };
      if (message.member === 'GetManagedObjects') return answer('a{oa{sa{sv}}}', [objects]);
      if (message.member === 'GetAll') return answer('a{sv}', [{ LocalName: new Variant('s', 'VENDOR_X') }]);
      if (message.member === 'StartNotify') return answer('', []);
      if (message.member !== 'WriteValue') return false;
      heard.push(message.body[0] as Buffer);
      const changed = [characteristic, { Value: new Variant('ay', Buffer.from([7, 8])) }, []];
      const path = '/app/service0/char0';
      box.send(BusMessage.newSignal(path, 'org.freedesktop.DBus.Properties', 'PropertiesChanged', 'sa{sv}as', changed));
      return answer('', []);
    });
    const register = (manager: string, member: string, path: string) =>
      box.call(
        new BusMessage({
          destination: 'org.bluez',
          path: '/org/bluez/hci0',
          interface: `org.bluez.${manager}`,
          member,
          signature: 'oa{sv}',
          body: [path, {}],
        }),
      );
    try {
      await bluez.control('RefuseNextRegistration', 'ss', 'org.bluez.Error.NotPermitted', 'no more');
      await expect(register('LEAdvertisingManager1', 'RegisterAdvertisement', '/advert')).rejects.toThrow('no more');
      await register('LEAdvertisingManager1', 'RegisterAdvertisement', '/advert');
      await register('GattManager1', 'RegisterApplication', '/app');
      expect(await bluez.control('Registered')).toEqual([
        ['advertisement', '/advert'],
        ['application', '/app'],
      ]);
      expect(await bluez.control('Advertisement')).toMatchObject({ LocalName: { value: 'VENDOR_X' } });
      await bluez.control('CentralSubscribe', 's', uuid);
      await bluez.control('CentralWrite', 'saya{sv}', uuid, Buffer.from([1, 2]), {});
      expect(heard.map(one => [...one])).toEqual([[1, 2]]);
      expect((await bluez.control('CentralNotifications', 's', uuid)) as Buffer[]).toEqual([Buffer.from([7, 8])]);
    } finally {
      box.disconnect();
    }
  });
});
