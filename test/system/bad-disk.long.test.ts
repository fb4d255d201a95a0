import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { aCloud, upstreamTo } from '../support/cloud.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { HttpTerminal } from '../support/terminal.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';

const roomy = { limits: { log_per_second: 1_000_000, log_per_day: 100_000_000 } };

async function aTerminalAt(box: BoxProcess, deviceId: string): Promise<HttpTerminal> {
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const terminal = new HttpTerminal({ deviceId, key: productKey }, `https://127.0.0.1:${box.port('https')}`, ca);
  expect((await terminal.connect()).status).toBe(200);
  return terminal;
}

const envelope = (from: string, mid: string, padding: number) =>
  JSON.stringify({
    mid,
    from,
    to: 'system',
    time: 0,
    action: 2001,
    data: {
      records: [
        { ext_id: mid, check_type: 'fa', check_time: 1_763_600_000, check_data: { note: 'x'.repeat(padding) } },
      ],
    },
  });

suiteWhere(SmallDisk.possible, 'needs root, to mount a small file system: sudo npm test', 'a disk that fails', () => {
  test('a full disk drops the oldest logs and never a check-in; when nothing may be dropped the box stops acknowledging, says so, and goes on when there is room', async () => {
    using disk = new SmallDisk(24);
    await using upstream = await aCloud();
    await upstream.cloud.cut();
    await using box = await BoxProcess.start(
      { ...roomy, upstream: upstreamTo(upstream) },
      aSite(),
      {},
      join(disk.folder, 'data'),
    );
    const terminal = await aTerminalAt(box, 'FACE-T1_A0001');

    // First logs, more than the disk can hold: each is acknowledged, and the oldest make room.
    const random = seededRandom(24);
    // Of 64 letters in no order: such text hardly shrinks when it is compressed.
    const aText = () => String.fromCharCode(...Array.from({ length: 4000 }, () => 48 + Math.floor(random() * 64)));
    for (let sent = 0; sent < 12_000; sent += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => terminal.ask('/api/v2.0/log/FT1/A0001', { method: 'POST', body: aText() })),
      );
      expect(answers.every(one => one.status === 200)).toBe(true);
    }
    const status = JSON.parse(await box.ask('status', '--json'));
    expect(
      Object.values(status.disk.dropped as Record<string, number>).reduce((sum, count) => sum + count, 0),
    ).toBeGreaterThan(1000);

    // Then attendance, until the box must say no.
    const acknowledged: string[] = [];
    const push = async (mid: string, padding: number) => {
      const body = envelope('FACE-T1_A0001', mid, padding);
      const answer = await terminal.ask('/api/push/FACE-T1_A0001', { method: 'POST', body });
      if (answer.status === 200) acknowledged.push(mid);
      return answer;
    };
    let refused = await push('first', 0);
    let sent = 0;
    // A first refusal may pass, when logs are still there to be dropped.
    await until('nothing may be dropped', async () => {
      do refused = await push(`m${sent}`, 2000);
      while (++sent < 60_000 && refused.status === 200);
      return /disk full/i.test(await box.ask('status'));
    });
    expect(refused.status).toBe(503);
    const unwell = expect.stringMatching(/^unwell: disk full/);
    expect(await box.run('status', '--check')).toMatchObject({ status: 1, stdout: unwell });
    expect(refused.headers['retry-after']).toBeTruthy();
    expect(box.alive).toBe(true);

    // There is room again: it goes on by itself, and everything that was acknowledged is there.
    disk.resize(64);
    await until(
      'it takes records again',
      async () =>
        (await terminal.ask('/api/push/FACE-T1_A0001', { method: 'POST', body: envelope('FACE-T1_A0001', 'after', 0) }))
          .status === 200,
    );
    const stored = new Set((await box.export<{ ext_id: string }>('checkins')).map(row => row.ext_id));
    expect(acknowledged.filter(mid => !stored.has(mid))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(500);
    expect(stored.has('after')).toBe(true);
    terminal.end();
  });

  test('a data directory that cannot be written is refused at the start, with what to do', async () => {
    using disk = new SmallDisk(64);
    await using box = await BoxProcess.start({}, aSite(), {}, join(disk.folder, 'data'));
    await box.stop();
    disk.readOnly(true);
    await expect(box.start()).rejects.toThrow(/cannot be written \(EROFS\): make it writable/);
    disk.readOnly(false);
    await box.start();
  });
});

test('a store file that is damaged is refused at the start, with what to do', async () => {
  await using box = await BoxProcess.start({}, aSite());
  await box.stop();
  const file = join(box.dataDir, 'gatehouse.db');
  const { size } = await stat(file);
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096);
  await handle.close();
  await expect(box.start()).rejects.toThrow(/gatehouse\.db.*damaged.*gatehouse restore/s);
});

test('a file that is no store at all is refused at the start, with what to do', async () => {
  await using box = await BoxProcess.start({}, aSite());
  await box.stop();
  const handle = await open(join(box.dataDir, 'gatehouse.db'), 'r+');
  await handle.write('this is a shopping list', 0);
  await handle.close();
  await expect(box.start()).rejects.toThrow(/gatehouse\.db.*damaged.*gatehouse restore/s);
});
