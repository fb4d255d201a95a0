import { describe, expect, test } from 'vitest';
import type { Seq } from '../../src/store/index.ts';
import { aGateway, type Gateway } from '../support/gateway.ts';
import { registered } from '../support/store.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const messageBytes = 4096;

/** A device that is logged in, whichever way it speaks. */
export interface DeviceAtGateway extends AsyncDisposable {
  /** True when it was acknowledged, false when it was refused or the connection ended. */
  send(payload: string | Uint8Array): Promise<boolean>;
  log(text: string): Promise<boolean>;
  /** Envelopes that the box has for it, from now on; resolves when there are so many. */
  hear(count: number): Promise<Record<string, unknown>[]>;
}

export interface GatewayUnderTest {
  /** Null: it is not let in. */
  login(gateway: Gateway, deviceId: string, accessKey?: string): Promise<DeviceAtGateway | null>;
}

const envelope = (mid: string, action: number, data: object, from = id): string =>
  JSON.stringify({ mid, from, to: 'system', time: 1_763_600_000, action, data });
const punch = (mid: string): string =>
  envelope(mid, 2001, { records: [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000 }] });
const payloadsOf = async ({ store }: Gateway): Promise<string[]> => {
  const { records } = await store.journal.read(0 as Seq, { bytesMax: 1 << 24 });
  return records.map(({ payload }) => Buffer.from(payload).toString());
};
const limits = { logPerSecond: 20, logPerDay: 10_000, logBytes: 4096, messageBytes, inboxMessages: 1000 };

/** What holds at each gateway of devices: the rules are the same, only the bytes differ. */
export function gatewayCases(name: string, { login }: GatewayUnderTest): void {
  async function aDevice(gateway: Gateway, accessKey?: string): Promise<DeviceAtGateway> {
    const device = await login(gateway, id, accessKey);
    if (!device) return expect.unreachable('it is let in');
    return device;
  }

  describe(`the rules of a gateway, over ${name}`, () => {
    test('a device is let in with the product key; with another key it is not, and the reason is written down', async () => {
      await using gateway = await aGateway();
      await using _device = await aDevice(gateway);
      expect(await login(gateway, 'FACE-T1_A0002', 'guess')).toBeNull();
      const refused = await until('it is written down', async () => {
        const notes = await gateway.store.read.refusals({ clientId: 'FACE-T1_A0002' });
        return notes.length > 0 ? notes : null;
      });
      expect(refused.map(({ code }) => code)).toEqual(['wrong_password']);
      expect([...gateway.store.directory.devices()].map(({ deviceId }) => deviceId)).toEqual([id]);
    });

    test('what was acknowledged is in the journal, byte for byte and in order', async () => {
      await using gateway = await aGateway();
      await using device = await aDevice(gateway);
      const sent = [punch('1'), punch('2'), envelope('3', 9999, { any: 'thing' })];
      for (const one of sent) {
        expect(await device.send(one)).toBe(true);
        expect((await payloadsOf(gateway)).at(-1)).toBe(one);
      }
      expect(await payloadsOf(gateway)).toEqual(sent);
    });

    test('a message is answered after it is stored, with its own mid; wrong data with 400', async () => {
      await using gateway = await aGateway();
      await using device = await aDevice(gateway);
      await device.send(punch('good'));
      await device.send(envelope('bad', 2001, { records: 'none' }));
      expect(await device.hear(2)).toMatchObject([
        { mid: 'good', action: 2001, from: 'system', data: { code: 0 } },
        { mid: 'bad', action: 2001, from: 'system', data: { code: 400 } },
      ]);
    });

    test('a message in the name of another device is answered 403 and not stored', async () => {
      await using gateway = await aGateway();
      await using device = await aDevice(gateway);
      await device.send(envelope('1', 2001, { records: [] }, 'FACE-T1_A0009'));
      expect(await device.hear(1)).toMatchObject([{ mid: '1', data: { code: 403 } }]);
      expect(await payloadsOf(gateway)).toEqual([]);
    });

    test('a log is cut to its limit; more than 20 in a second are acknowledged and dropped', async () => {
      await using gateway = await aGateway();
      await using device = await aDevice(gateway);
      const acknowledged = [await device.log('x'.repeat(5000))];
      for (let sent = 1; sent < 25; sent++) acknowledged.push(await device.log(`log ${sent}`));
      expect(acknowledged).not.toContain(false);
      const stored = await payloadsOf(gateway);
      expect([stored.length, stored[0]!.length, stored.at(-1)]).toEqual([20, 4096, 'log 19']);
      expect(gateway.devices.counters()).toMatchObject({ log_over_per_second: 5 });
    });

    test('a message of limits.message_bytes is taken; a larger one is refused and nothing of it stored', async () => {
      await using gateway = await aGateway({ limits });
      await using device = await aDevice(gateway);
      const empty = envelope('1', 9999, { filler: '' });
      const full = envelope('1', 9999, { filler: 'x'.repeat(messageBytes - empty.length) });
      expect(full).toHaveLength(messageBytes);
      expect(await device.send(full)).toBe(true);
      expect(await payloadsOf(gateway)).toEqual([full]);
      expect(await device.send(full.padEnd(messageBytes * 2))).toBe(false);
      expect(await payloadsOf(gateway)).toEqual([full]);
    });

    test('messages for a device that is away wait in its inbox, the oldest first', async () => {
      await using gateway = await aGateway();
      const { deviceNo } = await registered(gateway.store);
      for (const mid of ['first', 'second'])
        expect(await gateway.devices.deliver(deviceNo, Buffer.from(JSON.stringify({ mid })))).toBe(false);
      await using device = await aDevice(gateway);
      expect(await device.hear(2)).toEqual([{ mid: 'first' }, { mid: 'second' }]);
    });

    test('an activation gives a key of its own; once that is used the product key is refused', async () => {
      await using gateway = await aGateway();
      let key = '';
      {
        await using device = await aDevice(gateway);
        await device.send(envelope('1', 1001, {}));
        const [answer] = (await device.hear(1)) as { data: { code: number; access_key: string } }[];
        expect(answer!.data.code).toBe(0);
        key = answer!.data.access_key;
      }
      await using _again = await aDevice(gateway, key);
      expect(await login(gateway, id)).toBeNull();
    });
  });
}
