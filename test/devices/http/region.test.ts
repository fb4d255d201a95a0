import { expect, test } from 'vitest';
import { ask, connectHttp, eventsOf, type Gateway } from '../../support/gateway.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase } from '../../support/postgres-store.ts';
import { aRegionGateway } from '../../support/region-gateway.ts';
import { deviceId } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const id = 'FACE-T1_A0001';

const loggedIn = async (gateway: Gateway, accessKey?: string): Promise<string> =>
  String((await connectHttp(gateway, id, accessKey)).headers.authorization);
const called = (gateway: Gateway, path: string, value: string, body?: string) =>
  ask(`${gateway.httpUrl}${path}`, {
    headers: { Authorization: value, Connection: 'close' },
    ...(body === undefined ? {} : { body }),
  });
const pulled = async (gateway: Gateway, value: string) => (await called(gateway, `/api/pull/${id}`, value)).status;
const logged = async (gateway: Gateway, value: string, text: string) =>
  (await called(gateway, '/api/v2.0/log/FT1/A0001', value, text)).status;

suiteWithPostgres('a device over HTTP at two processes of a region', () => {
  const postgres = postgresOfFile();

  test('is known to both after its login at one, and its records stand in the order it sent them', async () => {
    const url = aDatabase(await postgres());
    await using one = await aRegionGateway(url);
    await using other = await aRegionGateway(url);
    const value = await loggedIn(one);
    const sent = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    for (const [index, text] of sent.entries())
      expect(await logged(index % 2 === 0 ? other : one, value, text), text).toBe(200);
    expect(await pulled(other, `Bearer ${value}`)).toBe(200);
    const { records } = await one.store.journal.read(0 as never, { bytesMax: 1 << 20 });
    expect(records.map(({ payload }) => Buffer.from(payload).toString())).toEqual(sent);
    expect((await eventsOf(one, id)).map(({ kind }) => kind)).toEqual(['connected']);
    expect(await eventsOf(other, id)).toHaveLength(1);
  });

  test('is known to none after it went offline at the other, and that is noted once', async () => {
    const url = aDatabase(await postgres());
    await using one = await aRegionGateway(url);
    await using other = await aRegionGateway(url);
    const value = await loggedIn(one);
    expect((await called(other, `/api/disconnect/${id}`, value)).status).toBe(200);
    await until('the first forgets it too', async () => (await pulled(one, value)) === 406);
    expect(await pulled(other, value)).toBe(406);
    await eventsOf(one, id);
    const noted = (await eventsOf(other, id)).map(({ kind }) => kind);
    expect(noted.sort()).toEqual(['connected', 'disconnected']);
  });

  test('loses its session everywhere when it is blocked, or another key is confirmed', async () => {
    const url = aDatabase(await postgres());
    await using one = await aRegionGateway(url);
    await using other = await aRegionGateway(url);
    await using third = await aRegionGateway(url);
    const value = await loggedIn(one);
    expect(await pulled(other, value)).toBe(200);
    const { deviceNo } = await until('it is known', () => other.store.directory.device(deviceId(id)));
    await other.store.write.setDeviceKey({ deviceNo, accessKey: 'key-1', at: 0, mid: null });
    const withKey = await loggedIn(other, 'key-1');
    // It is over where it was used, and where it never was.
    for (const gateway of [one, other, third])
      await until('the session of before is over', async () => (await pulled(gateway, value)) === 406);
    expect(await pulled(third, withKey)).toBe(200);
    await one.store.write.setBlocked({ deviceNo, blocked: true });
    for (const gateway of [one, other, third])
      await until('the blocked one is out', async () => (await pulled(gateway, withKey)) === 406);
  });

  test('keeps the value of before until the new one is used, at whichever process', async () => {
    const url = aDatabase(await postgres());
    await using one = await aRegionGateway(url);
    await using other = await aRegionGateway(url);
    const old = await loggedIn(one);
    const next = await loggedIn(other);
    expect(await pulled(other, old)).toBe(200);
    expect(await pulled(one, old)).toBe(200);
    expect(await pulled(one, next)).toBe(200);
    for (const gateway of [one, other])
      await until('the value of before is over', async () => (await pulled(gateway, old)) === 406);
    expect(await pulled(other, next)).toBe(200);
  });

  test('goes on after the process of its login has ended', async () => {
    const url = aDatabase(await postgres());
    await using other = await aRegionGateway(url);
    let value = '';
    {
      await using one = await aRegionGateway(url);
      value = await loggedIn(one);
      expect(await logged(one, value, 'a')).toBe(200);
    }
    expect(await logged(other, value, 'b')).toBe(200);
  });

  test('is refused with a made-up value without a question to the database', async () => {
    const url = aDatabase(await postgres());
    await using one = await aRegionGateway(url);
    const { httpSessions } = one.store.shared!;
    const value = httpSessions.newValue();
    expect(httpSessions.isOurs(value)).toBe(true);
    const last = value.endsWith('0') ? '1' : '0';
    expect(httpSessions.isOurs(value.slice(0, -1) + last)).toBe(false);
    expect([await pulled(one, value), await pulled(one, 'made up')]).toEqual([406, 406]);
  });
});
