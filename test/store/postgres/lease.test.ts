import { expect, test } from 'vitest';
import { realClock } from '../../../src/runtime/real-world.ts';
import type { Seq, Store } from '../../../src/store/index.ts';
import { connectToPostgres } from '../../../src/store/postgres/database.ts';
import { HeldLease, RowLease } from '../../../src/store/postgres/lease.ts';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../../support/postgres-store.ts';
import { registered } from '../../support/store.ts';
import { until } from '../../support/until.ts';

/** Processes whose clocks began at different moments, and that wait for the same lease. */
function contenders(postgres: Postgres, count: number) {
  const parts = new DisposableStack();
  const url = aDatabase(postgres);
  let elapsed = 0;
  const leases = Array.from({ length: count }, (_, index) => {
    const connection = connectToPostgres({ url, sealKey: Buffer.alloc(32) });
    parts.defer(() => connection.database.close());
    const began = 1000 * (index + 1) ** 3;
    const now = () => began + elapsed;
    const uplink = new Int32Array(1);
    const lease = new RowLease(connection, { name: 'forwarding', holder: index + 1, uplink }, now);
    return {
      /** For how long it is this one's; null: it is another's. */
      look(): number | null {
        const end = lease.look();
        return end === null ? null : end - now();
      },
      hearsOfUplink: () => lease.isUpElsewhere,
      tellUp(isUp: boolean) {
        uplink[0] = isUp ? 1 : 0;
      },
    };
  });
  return {
    leases,
    pass: (ms: number) => {
      elapsed += ms;
    },
    [Symbol.dispose]: () => parts.dispose(),
  };
}

suiteWithPostgres('a lease that its holder renews', () => {
  const postgres = postgresOfFile();

  test('is of whoever asks first, for as long as it renews it', async () => {
    using site = contenders(await postgres(), 3);
    const [first, second, third] = site.leases;
    expect(first!.look()).toBe(4500);
    for (let passed = 0; passed < 15_000; passed += 500) {
      expect(second!.look()).toBeNull();
      expect(third!.look()).toBeNull();
      site.pass(500);
      expect(first!.look()).toBeGreaterThanOrEqual(3000);
    }
  });

  test('goes to one of those who saw it stand still for six seconds, after its holder knows that it is over', async () => {
    using site = contenders(await postgres(), 3);
    const [first, second, third] = site.leases;
    first!.look();
    for (let passed = 0; passed < 6000; passed += 500) {
      expect(second!.look()).toBeNull();
      expect(third!.look()).toBeNull();
      site.pass(500);
    }
    expect(second!.look()).toBe(4500);
    expect(third!.look()).toBeNull();
    // The first was stopped all the while: it has not renewed, and hears now that it is another's.
    expect(first!.look()).toBeNull();
  });

  test('tells those who wait whether the uplink of its holder is up', async () => {
    using site = contenders(await postgres(), 2);
    const [first, second] = site.leases;
    first!.look();
    second!.look();
    expect(second!.hearsOfUplink()).toBe(false);
    first!.tellUp(true);
    site.pass(1500);
    first!.look();
    second!.look();
    expect(second!.hearsOfUplink()).toBe(true);
    expect(first!.hearsOfUplink()).toBe(false);
    // Whoever takes over has no uplink yet.
    for (let passed = 0; passed <= 6500; passed += 500) {
      site.pass(500);
      second!.look();
    }
    first!.look();
    expect([first!.hearsOfUplink(), second!.hearsOfUplink()]).toEqual([false, false]);
  });

  test("is nobody's while the database takes no writes", async () => {
    const connection = connectToPostgres({ url: aDatabase(await postgres()), sealKey: Buffer.alloc(32) });
    const lease = new RowLease(connection, { name: 'forwarding', holder: 1 });
    connection.database.exec('SET default_transaction_read_only = on');
    expect(lease.look()).toBeNull();
    connection.database.close();
  });

  test('of a process that ended by itself is free at once', async () => {
    const url = aDatabase(await postgres());
    const first = await openedPostgresStore(url);
    await until('the first has it', () => first.forwarding.isMine);
    await first[Symbol.asyncDispose]();
    const { database, sql } = connectToPostgres({ url, sealKey: Buffer.alloc(32) });
    expect(sql('SELECT 1 FROM lease').get()).toBeUndefined();
    database.close();
  });

  test('nobody takes in a region without a cloud', async () => {
    const url = aDatabase(await postgres());
    await using alone = await openedPostgresStore(url, { upstream: false });
    await using other = await openedPostgresStore(url);
    await until('the other has it', () => other.forwarding.isMine);
    expect(alone.forwarding.isMine).toBe(false);
  });

  test("at what has to be done once is one process's, also in a region without a cloud", async () => {
    const url = aDatabase(await postgres());
    const first = await openedPostgresStore(url, { upstream: false });
    await until('the first has it', () => first.once.isMine);
    await using second = await openedPostgresStore(url, { upstream: false });
    const heard: boolean[] = [];
    second.once.onChange(isMine => void heard.push(isMine));
    await first[Symbol.asyncDispose]();
    await until('the second has it', () => second.once.isMine);
    expect(heard).toEqual([true]);
  });

  test('begins with what others have forwarded, which meanwhile nobody reads again', async () => {
    const url = aDatabase(await postgres());
    const first = await openedPostgresStore(url);
    await until('the first has it', () => first.forwarding.isMine);
    await using second = await openedPostgresStore(url);
    const device = await registered(first, 'FACE-T1_A0001');
    const cursorAt = (store: Store) => store.directory.deviceByNo(device.deviceNo)?.forwardedSeq;
    await until('the second knows the device', () => cursorAt(second) === 0);
    const { database, sql } = connectToPostgres({ url, sealKey: Buffer.alloc(32) });
    const changes = () => sql('SELECT no FROM directory_change').get();
    const before = changes();
    const { deviceNo } = device;
    const place = { channel: null, upToSeq: 7 as Seq, floorSeq: 7 as Seq };
    await first.write.confirm({ confirmations: [{ deviceNo, ...place, at: 1, via: 'mqtt' }] });
    expect(changes()).toEqual(before);
    database.close();
    await first[Symbol.asyncDispose]();
    await until('the second has it', () => second.forwarding.isMine);
    expect(cursorAt(second)).toBe(7);
  });
});

test('a lease is over when its time has passed, whether or not anybody says so', () => {
  let now = 1000;
  using lease = new HeldLease(realClock, () => now);
  const told: boolean[] = [];
  lease.onChange(isMine => told.push(isMine));
  lease.follow(null, false);
  expect(lease.isMine).toBe(false);
  lease.follow(5000, false);
  lease.follow(6000, false);
  expect(lease.isMine).toBe(true);
  now = 6000;
  expect(lease.isMine).toBe(false);
  lease.follow(null, false);
  expect(told).toEqual([true, false]);
});
