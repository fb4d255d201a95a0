import { describe, expect, test } from 'vitest';
import type { UpstreamView } from '../../src/devices/index.ts';
import { KnownPlaces } from '../../src/devices/known-places.ts';
import { LoginPace } from '../../src/devices/login-pace.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { DeviceNo, Processes } from '../../src/store/index.ts';
import { regionOfOne } from '../../src/store/port/region.ts';
import { HandClock } from '../support/clock.ts';
import { aGateway, ask, connectHttp, connectMqtt, type Gateway } from '../support/gateway.ts';
import { aStore, registered } from '../support/store.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const home = '10.0.0.5';

/**
 * The gateway with one device that has logged in from the address of all callers here, the
 * loopback.
 */
async function aKnownDevice(change: Parameters<typeof aGateway>[0] = {}): Promise<Gateway> {
  const gateway = await aGateway(change);
  expect((await connectHttp(gateway, id)).status).toBe(200);
  return gateway;
}

/** Tries wrong keys until a login is not answered at once; their number. */
async function guessUntilSlow(gateway: Gateway, guessed: (index: number) => string): Promise<number> {
  const before = gateway.clock.sleeping;
  for (let tries = 1; tries <= 100; tries++) {
    const answer = connectHttp(gateway, guessed(tries), `guess ${tries}`);
    const answered = await Promise.race([
      answer.then(() => true),
      until('it waits', () => gateway.clock.sleeping > before).then(() => false),
    ]);
    if (!answered) return tries;
  }
  throw new Error('never slowed');
}

describe('wrong logins of devices', () => {
  test('are slowed by device id after a few: the next wrong one waits', async () => {
    await using gateway = await aGateway();
    expect(await guessUntilSlow(gateway, () => id)).toBeLessThanOrEqual(6);
  });

  test('are slowed by address after some more, whichever ids they use', async () => {
    await using gateway = await aGateway();
    expect(await guessUntilSlow(gateway, index => `FACE-T1_X${index}`)).toBeLessThanOrEqual(21);
  });

  test('of one address wait in a few places only: more are refused unchecked, to be tried again', async () => {
    await using gateway = await aGateway();
    await guessUntilSlow(gateway, () => id);
    for (let waiting = 2; waiting <= 6; waiting++) {
      void connectHttp(gateway, `FACE-T1_X${waiting}`, 'guess').catch(() => {});
      void connectHttp(gateway, id, 'guess').catch(() => {});
    }
    await until('all places are taken', () => gateway.clock.sleeping >= 7); // one of them sweeps sessions
    const { status, headers } = await connectHttp(gateway, id);
    expect([status, headers['retry-after']]).toEqual([429, '5']);
    expect(await connectMqtt(gateway, id)).toBe(3);
    await gateway.clock.advance(60_000);
    expect((await connectHttp(gateway, id)).status).toBe(200);
  });

  test('do not keep a right one from where the device was before: it is let in at once, over MQTT and HTTP', async () => {
    await using gateway = await aKnownDevice();
    await guessUntilSlow(gateway, () => id);
    await guessUntilSlow(gateway, index => `FACE-T1_X${index}`);
    expect((await connectHttp(gateway, id)).status).toBe(200);
    const client = await connectMqtt(gateway, id);
    if (typeof client === 'number') throw new Error('refused');
    await client.endAsync();
  });

  test('are not what many right ones from one address are: 200 devices behind one address come in, 50 at once', async () => {
    await using gateway = await aGateway();
    const statuses: number[] = [];
    // The listener of these tests has 64 places.
    for (let wave = 0; wave < 4; wave++)
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) =>
          statuses.push((await connectHttp(gateway, `FACE-T1_N${wave}-${index}`)).status),
        ),
      );
    expect(statuses).toEqual(Array.from({ length: 200 }, () => 200));
  });

  test('are asked of the cloud no faster, and no more than some at a time', async () => {
    const open = Promise.withResolvers<void>();
    let asking = 0;
    let most = 0;
    let asked = 0;
    const upstream: UpstreamView = {
      standsAlone: false,
      isUp: () => true,
      whenUp: async () => true,
      tryLogin: async () => {
        most = Math.max(most, ++asking);
        asked++;
        await open.promise;
        asking--;
        return 'refused';
      },
    };
    await using gateway = await aGateway({ upstream });
    const answers = Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => connectHttp(gateway, `FACE-T1_X${index}`, `guess ${index}`)),
    );
    await until('so many are asked', () => asked === 16 && gateway.clock.sleeping >= 7);
    open.resolve();
    let isOver = false;
    void answers.then(() => {
      isOver = true;
    });
    await until('all are answered', async () => {
      await gateway.clock.advance(3000);
      return isOver;
    });
    expect(most).toBe(16);
  });

  test('do not count browsers that do not trust the certificate of the box', async () => {
    await using gateway = await aGateway({ clock: new HandClock() });
    for (let tries = 0; tries < 20; tries++)
      gateway.devices.noteTlsFailure('http', '10.0.0.9', new Error('certificate unknown'));
    expect(gateway.devices.counters().login_refused).toBe(0);
  });

  test('fill neither the store nor its writer: of 1000 ids from one address 30 are written down in a minute', async () => {
    await using gateway = await aGateway({ clock: new HandClock() });
    const { store, clock } = gateway;
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        ask(`${gateway.httpUrl}/api/connect/NO${index}`, { body: JSON.stringify({ clientId: `NO${index}` }) }),
      ),
    );
    await until('they are written down', async () => (await store.read.refusals({ limit: 1000 })).length >= 30);
    expect(await store.read.refusals({ limit: 1000 })).toHaveLength(30);
    await clock.advance(60_000);
    await ask(`${gateway.httpUrl}/api/connect/ONE`, { body: JSON.stringify({ clientId: 'ONE' }) });
    await until('one more', async () => (await store.read.refusals({ limit: 1000 })).length === 31);
    expect(gateway.devices.counters().login_refused).toBe(1001);
    expect(gateway.devices.status().refused).toBe(1001);
  });

  test('that are repeated are counted, though not each is written down', async () => {
    await using gateway = await aGateway();
    const again = () => ask(`${gateway.httpUrl}/api/connect/NO`, { body: JSON.stringify({ clientId: 'NO' }) });
    for (let tries = 0; tries < 5; tries++) await again();
    await gateway.clock.advance(3000);
    await again();
    await until('all are counted', async () => (await gateway.store.read.refusals({ clientId: 'NO' }))[0]?.count === 6);
  });
});

/** Two processes that hear each other at once. */
function twoProcesses(): [Processes, Processes] {
  const listeners: ((text: string) => void)[] = [];
  const processAt = (place: number): Processes => ({
    tell: async (_, text) => listeners[1 - place]?.(text),
    onMessage: (_, listener) => {
      listeners[place] = text => listener(text, place);
    },
  });
  return [processAt(0), processAt(1)];
}

describe('the pace of logins', () => {
  const guess = (pace: LoginPace, device: string, address: string): Promise<boolean> | null => {
    const turn = pace.delay(device, address);
    pace.failed(device, address);
    return turn;
  };

  test('never gives one address more than a few looks in a second, however many it asks for at once', async () => {
    const clock = new HandClock();
    using pace = new LoginPace(clock, regionOfOne().processes);
    let looks = 0;
    for (let second = 0; second < 60; second++) {
      for (let tries = 0; tries < 450; tries++) {
        const turn = pace.delay(id, home);
        const look = (allowed: boolean) => {
          if (!allowed) return;
          looks++;
          pace.failed(id, home);
        };
        if (turn) turn.then(look);
        else look(true);
      }
      await clock.advance(1000);
    }
    expect(looks).toBeLessThan(60 * 3 + 30);
  });

  test('delays a right login from a new address by 3 s at most, while others guess at its id', async () => {
    const clock = new HandClock();
    using pace = new LoginPace(clock, regionOfOne().processes);
    for (let round = 0; round < 2; round++) {
      for (let address = 0; address < 12; address++)
        for (let tries = 0; tries < 30; tries++) void guess(pace, id, `10.0.1.${address}`);
      if (round === 0) await clock.advance(3000);
    }
    const turn = pace.delay(id, '10.0.2.1');
    let through: boolean | null = null;
    void turn?.then(allowed => {
      through = allowed;
    });
    await clock.advance(2999);
    expect(through).toBeNull();
    await clock.advance(1);
    expect(through).toBe(true);
  });

  test('counts wrong logins at the other processes of a region, and what is forgiven there', async () => {
    const clock = new HandClock();
    const [here, there] = twoProcesses();
    using pace = new LoginPace(clock, here);
    using other = new LoginPace(clock, there);
    for (let tries = 0; tries < 3; tries++) {
      pace.failed(id, home);
      other.failed(id, '10.0.0.6');
    }
    expect(pace.delay(id, '10.0.0.7')).not.toBeNull();
    expect(other.delay(id, '10.0.0.7')).not.toBeNull();
    for (let tries = 0; tries < 3; tries++) pace.forgive(id, home);
    expect(other.delay(id, '10.0.0.7')).toBeNull();
  });

  test('is as before within two minutes after an attack', async () => {
    const clock = new HandClock();
    using pace = new LoginPace(clock, regionOfOne().processes);
    for (let tries = 0; tries < 10_000; tries++) void guess(pace, id, home);
    expect(pace.delay(id, home)).not.toBeNull();
    await clock.advance(120_000);
    expect(pace.delay(id, home)).toBeNull();
  });

  test('takes the addresses of one IPv6 network for one, and an IPv4 address for itself over IPv6', () => {
    using pace = new LoginPace(new HandClock(), regionOfOne().processes);
    for (let tries = 0; tries < 30; tries++) {
      void guess(pace, `FACE-T1_${tries}`, `2001:db8::${tries.toString(16)}`);
      void guess(pace, `FACE-T1_Y${tries}`, '::ffff:10.0.0.9');
    }
    expect(pace.delay('FACE-T1_B', '2001:db8:0:0:ffff::1')).not.toBeNull();
    expect(pace.delay('FACE-T1_B', '2001:db8:0:1::1')).toBeNull();
    expect(pace.delay('FACE-T1_B', '10.0.0.9')).not.toBeNull();
  });
});

test('from where a device came last is known after a restart', async () => {
  await using opened = await aStore();
  const { deviceNo } = await registered(opened.store);
  const before = await KnownPlaces.open({ store: opened.store, clock: new HandClock(), log: silentLog });
  before.cameFrom(deviceNo, '::ffff:10.0.0.5');
  await before.close();
  const after = await KnownPlaces.open({ store: await opened.reopen(), clock: new HandClock(), log: silentLog });
  expect(after.has(deviceNo, home)).toBe(true);
  expect(after.has(deviceNo, '10.0.0.6')).toBe(false);
});

test("after a power cut the new addresses of all devices are written together, each device's last", async () => {
  await using opened = await aStore();
  const writes: (readonly { deviceNo: DeviceNo; address: string }[])[] = [];
  const write = {
    noteAddresses: (input: Parameters<typeof opened.store.write.noteAddresses>[0]) => {
      writes.push(input.addresses);
      return opened.store.write.noteAddresses(input);
    },
  } as typeof opened.store.write;
  const clock = new HandClock();
  const places = await KnownPlaces.open({ store: { write, read: opened.store.read }, clock, log: silentLog });
  const [one, other] = [1 as DeviceNo, 2 as DeviceNo];
  for (const [deviceNo, address] of [
    [one, '10.0.0.5'],
    [other, '10.0.0.6'],
    [one, '10.0.0.7'],
    [one, '10.0.0.7'],
  ] as const)
    places.cameFrom(deviceNo, address);
  expect([places.has(one, '10.0.0.7'), writes]).toEqual([true, []]);
  await clock.advance(1_000);
  await until('a group is written', () => writes.length > 0);
  const first = [
    { deviceNo: one, address: '10.0.0.7' },
    { deviceNo: other, address: '10.0.0.6' },
  ];
  expect(writes).toEqual([first]);
  await clock.advance(5_000);
  expect(writes).toEqual([first]);
  places.cameFrom(other, '10.0.0.9');
  await clock.advance(1_000);
  // A group waits for the write before it, which takes a real disk's time.
  await until('the next group is written', () => writes.length > 1);
  expect(writes).toEqual([first, [{ deviceNo: other, address: '10.0.0.9' }]]);
});

test('more than a thousand new addresses are written by the thousand, so that no commit waits behind all of them', async () => {
  const groups: number[] = [];
  const store = {
    read: { lastAddresses: async () => new Map() },
    write: {
      noteAddresses: async ({ addresses }: { addresses: readonly object[] }) => void groups.push(addresses.length),
    },
  };
  const clock = new HandClock();
  const places = await KnownPlaces.open({ store: store as never, clock, log: silentLog });
  for (let device = 1; device <= 2_500; device++) places.cameFrom(device as DeviceNo, home);
  await clock.advance(1_000);
  expect(groups).toEqual([1_000, 1_000, 500]);
});
