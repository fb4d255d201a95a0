import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore, restoreBackup, type Store } from '../../../src/store/index.ts';
import { backedUpTo, recovery } from '../../support/backups.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

const person = { ext_id: 'e1', name: 'Li Mei', mobile: '1', employee_num: '1', department: { ext_id: 'd1' } };
const site = {
  products: [aProduct()],
  departments: [{ ext_id: 'd1', name: 'Plant', p_ext_id: '0' }],
  employees: [person],
};

/** Reports one punch and one passage at the door, for each of `numbers`. */
async function report(store: Store, numbers: readonly number[]): Promise<void> {
  const { deviceNo } = await registered(store);
  for (const no of numbers)
    for (const [action, more] of [
      [2001, {}],
      [2002, { check_result: 0 }],
    ] as const) {
      const records = [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000 + no, ...more }];
      const envelope = { mid: `m${no}`, from: 'FACE-T1_A0001', to: 'system', time: 0, action, data: { records } };
      const payload = Buffer.from(JSON.stringify(envelope));
      await append(store, {
        deviceNo,
        channel: 'device',
        receivedAt: 1_763_600_000_000,
        logPath: '',
        marks: {},
        payload,
      });
    }
  await store.catchUp();
}

/** What a caller gets that goes on from its own numbers. */
async function after(store: Store, numbers: { readonly checkIn: number; readonly access: number }) {
  const checkIns = await store.read.checkInPage({ after: numbers.checkIn, limit: 500 });
  const passages = await store.read.accessPage({
    ...{ after: numbers.access, limit: 500, passedOnly: false, bytesMax: 1 << 20 },
  });
  return { checkIns, passages, checkIn: checkIns.next, access: passages.next };
}

const beginning = { checkIn: 0, access: 0 };

async function aSite() {
  const opened = await aStore();
  await applied(opened.store, site);
  await opened.store.write.initCheckIns({ at: 1 });
  return opened;
}

test('after a restore callers that go on from their numbers get each new record, and none is given twice', async () => {
  await using box = await aSite();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-numbers-'));
  try {
    const file = join(folder, 'backup.gh');
    await report(box.store, [1, 2]);
    await backedUpTo(box.store, file);
    await report(box.store, [3, 4, 5]);
    const payroll = await after(box.store, beginning);
    await box.store[Symbol.asyncDispose]();
    await restoreBackup({ file, dataDir: box.dataDir, key: recovery.key });
    await using store = await openStore(box.options);
    // Before anything new has come, its numbers are no mistake of its own.
    expect(await after(store, payroll)).toMatchObject({
      checkIns: { count: 0, isAhead: false },
      passages: { rows: [], isAhead: false },
    });
    await report(store, [6, 7]);
    const { checkIns, passages } = await after(store, payroll);
    expect(checkIns.count).toBe(2);
    expect(passages.rows.map(({ checkTime }) => checkTime)).toEqual([1_763_600_006, 1_763_600_007]);
    expect(checkIns.next).toBeGreaterThan(payroll.checkIn);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('where nobody knows what was given since the backup, as on a new card, numbers go on far above it', async () => {
  await using box = await aSite();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-numbers-'));
  try {
    const file = join(folder, 'backup.gh');
    await report(box.store, [1]);
    await backedUpTo(box.store, file);
    await report(
      box.store,
      Array.from({ length: 40 }, (_, no) => no + 2),
    );
    const payroll = await after(box.store, beginning);
    const dataDir = join(folder, 'card');
    await restoreBackup({ file, dataDir, key: recovery.key });
    await using store = await openStore({ ...box.options, dataDir });
    await report(store, [99]);
    const { checkIns, passages } = await after(store, payroll);
    expect([checkIns.count, passages.rows.length]).toEqual([1, 1]);
    expect(checkIns.next).toBeGreaterThan(10_000_000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a number that was never given is told apart from one that has nothing behind it yet', async () => {
  await using box = await aSite();
  const { store } = box;
  await report(store, [1, 2]);
  const { checkIn, access } = await after(store, beginning);
  for (const [more, isAhead] of [
    [0, false],
    [1, true],
  ] as const) {
    const { checkIns, passages } = await after(store, { checkIn: checkIn + more, access: access + more });
    expect([checkIns.isAhead, passages.isAhead]).toEqual([isAhead, isAhead]);
  }
});
