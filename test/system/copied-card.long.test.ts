import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { until } from '../support/until.ts';
import { atWork, type Work } from '../support/work.ts';

const boxId = 'GATEHOUSE_000002';
const boxKey = 'key-of-the-lower-box';
const roomy = { limits: { log_per_second: 1000, log_per_day: 1_000_000 } };
const ownProduct = { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' };
const siteAbove = (boxes: readonly object[]) => ({ products: [...aSite().products, ownProduct], boxes });

interface Status {
  readonly line: { readonly state: string; readonly why: string };
  readonly outbox: { readonly waiting: number; readonly parked: number };
}
const statusOf = async (box: BoxProcess): Promise<Status> => JSON.parse(await box.ask('status', '--json'));
const peopleOf = async (box: BoxProcess): Promise<string[]> =>
  (await box.export<{ device_id: string; ext_id: string }>('checkins')).map(row => `${row.device_id} ${row.ext_id}`);
const saidBy = ({ terminals }: Work): string[] =>
  terminals.flatMap(({ deviceId, said }) =>
    said
      .filter(one => one.channel === 'device')
      .map(one => `${deviceId} ${JSON.parse(one.text).data.records[0].ext_id}`),
  );

/** Terminals punch at a box until each has said a dozen things. */
async function aShift(box: BoxProcess, from: number): Promise<Work> {
  const work = atWork(box, await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8'), 2, { from });
  await until('the shift is over', () => work.terminals.every(one => one.acknowledged.length >= 12));
  await work.stop();
  return work;
}

test('of two boxes with one card the second is told, loses nothing, overwrites nothing, and takes over when staff say so', async () => {
  await using upper = await BoxProcess.start(roomy, siteAbove([{ box_id: boxId }]));
  const below = {
    ...roomy,
    box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: boxKey },
    upstream: {
      mode: 'batch',
      device_http: `https://127.0.0.1:${upper.port('https')}`,
      ca: `file:${join(upper.dataDir, 'tls', 'ca.pem')}`,
    },
  };
  await using first = await BoxProcess.start(below, aSite());
  const before = await aShift(first, 1);
  await until('all of it is above', async () => (await statusOf(first)).outbox.waiting === 0);
  await first.stop();
  await using second = await BoxProcess.make(below, aSite());
  await cp(first.dataDir, second.dataDir, { recursive: true, filter: path => !path.endsWith('.sock') });

  await first.start();
  await until('the first is taken', async () => (await statusOf(first)).line.state === 'up');
  await second.start();
  const told = await until('the second is told', async () => {
    const { line } = await statusOf(second);
    return line.state === 'refused' ? line : null;
  });
  expect(told.why).toMatch(/another box uses the identity GATEHOUSE_000002.*switch one of the two off/);

  // Both have terminals. What those of the second say must not pass for what the first has said.
  const [atFirst, atSecond] = await Promise.all([aShift(first, 11), aShift(second, 21)]);
  await until('what the first took is above', async () => (await statusOf(first)).outbox.waiting === 0);
  expect((await statusOf(first)).line.state).toBe('up');
  const held = (await statusOf(second)).outbox;
  expect(held.parked).toBe(0);
  expect(held.waiting).toBeGreaterThanOrEqual(saidBy(atSecond).length);
  expect((await peopleOf(upper)).sort()).toEqual([...saidBy(before), ...saidBy(atFirst)].sort());

  // It stays so over a start of either.
  await second.stop();
  await second.start();
  await first.stop();
  await first.start();
  await until('the first is up', async () => (await statusOf(first)).line.state === 'up');
  await until('the second is refused', async () => (await statusOf(second)).line.state === 'refused');

  // Staff decide for the second.
  await first.stop();
  const site = join(upper.folder, 'boxes.yaml');
  for (const boxes of [[], [{ box_id: boxId }]]) {
    await writeFile(site, stringify({ boxes }));
    await upper.ask('apply', site, '--prune');
  }
  await until('all of the second is above', async () => (await statusOf(second)).outbox.waiting === 0);
  const all = [...saidBy(before), ...saidBy(atFirst), ...saidBy(atSecond)].sort();
  expect([...new Set(await peopleOf(upper))].sort()).toEqual(all);
  await first.start();
  await until('now the first is told', async () => (await statusOf(first)).line.state === 'refused');
  await rm(site);
});
