import { expect, test } from 'vitest';
import { ask, connectHttp, connectMqtt, type Gateway } from '../support/gateway.ts';
import { postgresOfFile, suiteWithPostgres } from '../support/postgres.ts';
import { aDatabase } from '../support/postgres-store.ts';
import { aRegionGateway } from '../support/region-gateway.ts';
import { deviceId } from '../support/store.ts';
import { until } from '../support/until.ts';

const [ofMqtt, ofHttp] = ['FACE-T1_A0001', 'FACE-T1_A0002'];

suiteWithPostgres('two processes of a region', () => {
  const postgres = postgresOfFile();

  test('show which devices are online at the other one, also one that starts later, until it has gone', async () => {
    const url = aDatabase(await postgres());
    await using one = await aRegionGateway(url);
    const changes: boolean[] = [];
    {
      await using other = await aRegionGateway(url);
      one.devices.onPresenceAnywhere((_, online) => changes.push(online));
      const client = await connectMqtt(other, ofMqtt);
      expect((await connectHttp(other, ofHttp)).status).toBe(200);
      await until('it is shown', () => one.devices.status().online === 2);
      await using third = await aRegionGateway(url);
      expect(third.devices.status()).toMatchObject({ online: 2, known: 2 });
      const { deviceNo } = one.store.directory.device(deviceId(ofMqtt))!;
      expect([one, other].map(({ devices }) => devices.isHere(deviceNo))).toEqual([false, true]);
      (client as Exclude<typeof client, number>).end(true);
      await until('one has gone', () => one.devices.status().online === 1);
      await until('that one is shown everywhere', () => third.devices.status().online === 1);
    }
    await until('its process has gone', () => one.devices.status().online === 0);
    expect(changes).toEqual([true, true, false, false]);
  });

  test('count the logs of a device on a day together', async () => {
    const url = aDatabase(await postgres());
    const limits = { logPerSecond: 20, logPerDay: 6, logBytes: 4096, messageBytes: 1 << 20, inboxMessages: 1000 };
    await using one = await aRegionGateway(url, { limits });
    await using other = await aRegionGateway(url, { limits });
    const authorization = String((await connectHttp(one, ofHttp)).headers.authorization);
    const logged = async ({ httpUrl }: Gateway): Promise<string> => {
      const answer = await ask(`${httpUrl}/api/v2.0/log/FT1/A0002`, { headers: { authorization }, body: 'a line' });
      return String(answer.json.msg);
    };
    const { deviceNo } = one.store.directory.device(deviceId(ofHttp))!;
    /** The process has told what it took, and heard what all of them did. */
    const told = async ({ clock, store }: Gateway, count: number) => {
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(clock.now());
      const nothing = new Map([[deviceNo, { more: 0, stored: 0 }]]);
      await until(`all have taken ${count}`, async () => {
        await clock.advance(2_000);
        return (await store.shared.logCounts.add(day, nothing)).get(deviceNo) === count;
      });
    };
    const dropped = expect.stringContaining('today');
    for (let line = 0; line < 4; line++) expect(await logged(one)).toBe('ok');
    await told(one, 4);
    expect(await logged(other)).toBe('ok');
    await told(other, 5);
    expect([await logged(other), await logged(other)]).toEqual(['ok', dropped]);
    await told(other, 6);
    // It knows of the first five only: with its next one it hears of the others.
    expect(await logged(one)).toBe('ok');
    await told(one, 7);
    expect(await logged(one)).toEqual(dropped);
  });
});
