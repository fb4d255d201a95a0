import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { StoreError } from '../../../src/store/index.ts';
import { seededRandom } from '../../support/clock.ts';
import { SmallDisk } from '../../support/small-disk.ts';
import { append, aStore, registered } from '../../support/store.ts';
import { suiteWhere } from '../../support/tools.ts';

const megabyte = 1 << 20;
/** Of 64 letters in no order: compressed it has three quarters of its bytes. */
const hardText = Buffer.alloc(4 * megabyte);
const random = seededRandom(4);
for (let at = 0; at < hardText.length; at++) hardText[at] = 48 + Math.floor(random() * 64);

suiteWhere(SmallDisk.possible, 'needs root, to mount a small file system: sudo npm test', 'a disk that is full', () => {
  test.each([
    ['nothing waits for a cloud', false],
    ['everything waits for a cloud', true],
  ])(
    'of logs, faster than the tables take them, takes no end of them: %s',
    async (_, upstream) => {
      using disk = new SmallDisk(160);
      await using temporary = await aStore({ dataDir: join(disk.folder, 'data'), upstream });
      const { store } = temporary;
      const { deviceNo } = await registered(store);
      const payload = Buffer.alloc(200);
      const record = { deviceNo, channel: 'log', receivedAt: 1, logPath: 'FT1/A0001', marks: {}, payload } as const;
      let refused: StoreError | null = null;
      // Three times what the disk holds, without a pause; then the tables alone, which need room
      // too.
      for (let sent = 0; sent * payload.length < 480 * megabyte && !refused; sent++) {
        hardText.copy(payload, 0, (sent * payload.length) % (hardText.length - payload.length));
        store.journal.append(record, {
          onCommitted: error => {
            refused ??= error;
          },
        });
        if (store.journal.congested) await new Promise<void>(resolve => store.journal.onDrain(resolve));
      }
      expect(refused).toBeNull();
      await store.catchUp();
      await append(store, record);
      expect(store.health().state).toBe('ok');
    },
    120_000,
  );

  test('gets back what a write-ahead log had to grow to, before anything is dropped', async () => {
    using disk = new SmallDisk(64);
    await using temporary = await aStore({ dataDir: join(disk.folder, 'data'), upstream: false });
    const { store } = temporary;
    const { deviceNo } = await registered(store);
    const log = join(temporary.dataDir, 'gatehouse.db-wal');
    const reader = new DatabaseSync(join(temporary.dataDir, 'gatehouse.db'), { readOnly: true });
    reader.exec('BEGIN; SELECT * FROM meta');
    let sent = 0;
    const commit = async () => {
      const payload = hardText.subarray(0, 20_000);
      sent += payload.length;
      await append(store, { deviceNo, channel: 'log', receivedAt: 1, logPath: 'FT1/A0001', marks: {}, payload });
    };
    while (statSync(log).size < 15 * megabyte) await commit();
    reader.close();
    // The second is committed after the checkpoint that follows the first.
    await commit();
    await commit();
    disk.resize(Math.ceil(disk.usedBytes / megabyte) + 5);
    for (const until = sent + 3 * megabyte; sent < until; ) await commit();
    expect(statSync(log).size).toBeLessThan(4 * megabyte);
    expect(store.health().dropped).toEqual({});
  });
});
