import { realClock } from '../../src/runtime/real-world.ts';
import type { DeviceNo } from '../../src/store/index.ts';
import { openedPostgresStore } from './postgres-store.ts';
import { sayLine } from './say-line.ts';

/**
 * A process of a region, until it is killed: takes the lines of boxes below in batches, which
 * another process may be taking at the same time, and appends records of its own. Prints each that
 * is committed.
 */
const [url, name, ...boxes] = process.argv.slice(2) as [string, string, ...string[]];
const store = await openedPostgresStore(url);
const record = (deviceNo: DeviceNo, text: string) => ({
  ...({ deviceNo, channel: 'log', receivedAt: realClock.now(), logPath: 'FT1/A0001', marks: {} } as const),
  payload: Buffer.from(text),
});
const linesOfBatch = 20;
const epoch = 'e';

/** As a box does: from what the region says it has on, some lines again that it has already. */
async function sendBatches(box: string): Promise<never> {
  const boxNo = Number(box) as DeviceNo;
  for (;;) {
    const from = Math.max(1, (await store.read.batchCursor(boxNo, epoch)) - 3);
    const ackedSeq = from + linesOfBatch - 1;
    const seqs = Array.from({ length: linesOfBatch }, (_, index) => from + index);
    const records = seqs.map(seq => ({ seq, record: record(boxNo, `box ${box}: ${seq}`) }));
    await store.write.receiveBatch({ boxNo, epoch, records, refused: [], ackedSeq });
    sayLine(`box ${box}: ${ackedSeq}`);
  }
}

let next = 0;
function append(): void {
  const text = `process ${name}: ${next++}`;
  store.journal.append(record(1 as DeviceNo, text), {
    onCommitted(error) {
      if (error) process.exit(1);
      sayLine(text);
      append();
    },
  });
}

for (const box of boxes) sendBatches(box).catch(() => process.exit(1));
for (let parallel = 0; parallel < 4; parallel++) append();
