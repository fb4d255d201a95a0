import { expect, test } from 'vitest';
import type { DeviceNo, Store } from '../../../src/store/index.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../../support/postgres-store.ts';
import { until } from '../../support/until.ts';

const device = 7 as DeviceNo;
const record = (text: string) => ({
  ...({ deviceNo: device, channel: 'log', receivedAt: 0, logPath: 'FT1/A0001', marks: {} } as const),
  payload: Buffer.from(text),
});
const texts = async (store: Store): Promise<string[]> => {
  const { records } = await store.journal.read(0 as never, { bytesMax: 1 << 20 });
  return records.map(({ payload }) => Buffer.from(payload).toString());
};

suiteWithPostgres('devices of a region', () => {
  const postgres = postgresOfFile();

  test('are taken by one process at a time, which is asked for them and stores first what they sent', async () => {
    const url = aDatabase(await postgres());
    await using first = await openedPostgresStore(url);
    await using second = await openedPostgresStore(url);
    const wanted: DeviceNo[] = [];
    let stored = false;
    first.claims.onWanted(async deviceNo => {
      wanted.push(deviceNo);
      first.journal.append(record('sent before'), { onCommitted: () => (stored = true) });
    });
    expect(await first.claims.claim(device)).toBe(true);
    expect(await second.claims.claim(device)).toBe(true);
    expect(wanted).toEqual([device]);
    expect(stored).toBe(true);
    expect([first.claims.has(device), second.claims.has(device)]).toEqual([false, true]);
    await new Promise<void>(resolve => second.journal.append(record('sent after'), { onCommitted: () => resolve() }));
    expect(await texts(second)).toEqual(['sent before', 'sent after']);
    expect(await first.claims.claim(device)).toBe(true);
    expect(second.claims.has(device)).toBe(false);
  });

  test('are taken at once from a process that has left, and by hundreds in a few statements', async () => {
    const url = aDatabase(await postgres());
    const devices = Array.from({ length: 500 }, (_, index) => (index + 1) as DeviceNo);
    {
      await using first = await openedPostgresStore(url);
      expect(await Promise.all(devices.map(one => first.claims.claim(one)))).not.toContain(false);
    }
    await using second = await openedPostgresStore(url);
    expect(await Promise.all(devices.map(one => second.claims.claim(one)))).not.toContain(false);
  });

  test('are taken from a process that does not give them away, and it stores nothing more', async () => {
    const url = aDatabase(await postgres());
    await using first = await openedPostgresStore(url);
    await using second = await openedPostgresStore(url);
    expect(await first.claims.claim(device)).toBe(true);
    // It hears, and never comes to an end.
    first.claims.onWanted(() => new Promise(() => {}));
    expect(await second.claims.claim(device)).toBe(true);
    expect(await first.lost).toContain('took its devices over');
    const error = await new Promise(resolve => first.journal.append(record('too late'), { onCommitted: resolve }));
    expect(error).toMatchObject({ code: 'closed' });
    expect(await texts(second)).toEqual([]);
  });

  test('are taken over HTTP in a turn of its own, which waits for what was appended and ends no MQTT session', async () => {
    const url = aDatabase(await postgres());
    await using first = await openedPostgresStore(url);
    await using second = await openedPostgresStore(url);
    const wanted: DeviceNo[] = [];
    first.claims.onWanted(async deviceNo => void wanted.push(deviceNo));
    expect(await first.claims.claim(device)).toBe(true);
    expect(await first.claims.takeForHttp(device)).toBe(true);
    // Not answered yet, as when the device gave up waiting and asks another process.
    first.journal.append(record('sent before'), { onCommitted() {} });
    expect(await second.claims.takeForHttp(device)).toBe(true);
    await new Promise<void>(resolve => second.journal.append(record('sent after'), { onCommitted: () => resolve() }));
    expect(await texts(second)).toEqual(['sent before', 'sent after']);
    expect(wanted).toEqual([]);
    expect([first.claims.has(device), second.claims.has(device)]).toEqual([true, false]);
  });

  test('hear of a message that another process has stored for them', async () => {
    const url = aDatabase(await postgres());
    await using first = await openedPostgresStore(url);
    await using second = await openedPostgresStore(url);
    const heard: DeviceNo[] = [];
    first.claims.onMessage(deviceNo => heard.push(deviceNo));
    await first.claims.claim(device);
    await second.claims.tellOfMessage(device);
    await until('it is heard', () => heard.length > 0);
    expect(heard).toEqual([device]);
  });
});
