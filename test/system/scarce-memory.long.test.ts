import { existsSync, statSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillRows, rowsFrom } from '../support/many-rows.ts';
import { aMemoryGroup, residentMb } from '../support/memory-group.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, deviceIds } from '../support/site.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { atWork, type Work } from '../support/work.ts';

const rows = Number(process.env.ROWS ?? 200_000);
/** For what it takes after its start, pages of its files included: then it may no longer cache much. */
const groupMb = 192;
/** All that the service may take of a board with 512 MB: three quarters (MemoryMax). */
const serviceMb = 384;
const newPeople = 5000;
const roomy = { limits: { log_per_second: 1000, log_per_day: 1_000_000 } };
const month = new Date(rowsFrom * 1000).toISOString().slice(0, 7);
const passphrase = 'a passphrase of the test';

const departments = [
  { ext_id: '0', name: 'Plant' },
  { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
];

/** A box with a long history, stopped. */
async function aBigBox(): Promise<BoxProcess> {
  const devices = deviceIds(2).map(device_id => ({ device_id, name: device_id }));
  const box = await BoxProcess.make(roomy, aSite({ devices, departments }));
  await box.start();
  await box.stop();
  fillRows(box.dataDir, rows);
  await writeFile(join(box.folder, 'passphrase'), passphrase);
  const people = Array.from(
    { length: newPeople },
    (_, at) => `new${at},Person ${at},9${String(at).padStart(6, '0')},d1`,
  );
  await writeFile(join(box.folder, 'people.csv'), ['ext_id,name,employee_num,department_ext_id', ...people].join('\n'));
  return box;
}

const workAt = async (box: BoxProcess, from: number, count: number): Promise<Work> =>
  atWork(box, await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8'), count, { from });
const acknowledgedBy = ({ terminals }: Work): number =>
  terminals.reduce((sum, one) => sum + one.acknowledged.length, 0);

async function expectStored(box: BoxProcess, work: Work): Promise<void> {
  const stored = new Set(
    (await box.export<{ device_id: string; ext_id: string }>('checkins')).map(row => `${row.device_id} ${row.ext_id}`),
  );
  const said = work.terminals.flatMap(({ deviceId, acknowledged }) =>
    acknowledged
      .filter(one => one.channel === 'device')
      .map(one => `${deviceId} ${JSON.parse(one.text).data.records[0].ext_id}`),
  );
  expect(said.filter(one => !stored.has(one))).toEqual([]);
}

const isPossible = (() => {
  using group = aMemoryGroup(groupMb << 20);
  return group !== null;
})();

suiteWhere(isPossible, 'needs root and control groups', 'memory is scarce', () => {
  test('a box with a long history searches, exports a month, backs itself up and imports 5,000 people at once while devices deliver, in little memory', async () => {
    using group = aMemoryGroup(groupMb << 20);
    await using box = await aBigBox();
    await box.start();
    group!.add(box.pid);
    const work = await workAt(box, 11, 4);
    let mostMb = 0;
    const looking = setInterval(() => {
      mostMb = Math.max(mostMb, residentMb(box.pid) ?? 0);
    });
    const jobs = [
      ['export', '--what', 'logs', '--text', 'a word that stands nowhere'],
      ['export', '--what', 'checkins', '--month', month, '--format', 'xlsx', '--out', 'month.xlsx'],
      ['export', '--what', 'checkins', '--month', month, '--format', 'csv', '--out', 'month.csv'],
      ['export', '--what', 'access', '--format', 'ndjson', '--out', 'access.ndjson'],
      ['backup', join(box.folder, 'box.gh'), '--passphrase-file', join(box.folder, 'passphrase')],
      ['import', 'employees', 'people.csv'],
    ];
    const outcomes = await Promise.all(jobs.map(async job => ({ job, ...(await box.run(...job)) })));
    clearInterval(looking);
    expect(outcomes.filter(({ status }) => status !== 0)).toEqual([]);
    expect(box.alive).toBe(true);
    expect(mostMb).toBeLessThan(serviceMb);
    await work.stop();
    expect(work.terminals.every(({ said }) => said.every(one => one.acknowledged))).toBe(true);
    await expectStored(box, work);
  });

  test('a box that the kernel kills for its memory in the middle of an export and a backup loses nothing, and leaves no half file under a name', async () => {
    using group = aMemoryGroup(8 << 20);
    await using box = await aBigBox();
    await box.start();
    const work = await workAt(box, 11, 4);
    await until('it works', () => acknowledgedBy(work) > 100);
    const files = { rows: join(box.folder, 'logs.ndjson'), part: join(box.folder, '.logs.ndjson.part') };
    const exporting = box.run('export', '--what', 'logs', '--out', files.rows);
    await until('the export is under way', () => existsSync(files.part) && statSync(files.part).size > 0);
    const passphraseFile = join(box.folder, 'passphrase');
    const backingUp = box.run('backup', join(box.folder, 'box.gh'), '--passphrase-file', passphraseFile);
    await until('the backup is under way', async () =>
      (await readdir(box.dataDir)).some(name => name.startsWith('.transfer-')),
    );
    // What it takes from now on counts: a few megabytes, and the kernel kills it.
    group!.add(box.pid);
    await until('it was killed', () => !box.alive);
    const outcomes = await Promise.all([exporting, backingUp]);
    expect(outcomes.map(({ status }) => status)).toEqual([1, 1]);
    for (const { stderr } of outcomes)
      expect(stderr).toMatch(/^gatehouse: the box ended before it had answered: .*try again/);
    expect((await readdir(box.folder)).filter(name => /logs|\.gh/.test(name))).toEqual([]);
    await box.start();
    await work.stop();
    await expectStored(box, work);
    await until('the half backup is gone', async () =>
      (await readdir(box.dataDir)).every(name => !name.startsWith('.transfer-')),
    );
  });
});
