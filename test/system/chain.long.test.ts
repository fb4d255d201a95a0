import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { until } from '../support/until.ts';
import { atWork } from '../support/work.ts';

/** `npm run test:nightly` kills 300 times. */
const kills = Number(process.env.KILLS ?? 20);
const boxKey = 'key-of-the-lower-box';

interface LogRow {
  readonly device_id: string;
  readonly received_at: number;
  readonly text: string;
}
interface CheckInRow extends Record<string, unknown> {
  readonly device_id: string;
  readonly ext_id: string;
}

const byDevice = <Row extends { device_id: string }>(rows: readonly Row[]): Map<string, Row[]> =>
  Map.groupBy(rows, row => row.device_id);

test(
  `in a chain of two boxes, with ${kills} kills of either, each record is in the upper box exactly once`,
  async () => {
    const roomy = { limits: { log_per_second: 1000, log_per_day: 1_000_000 } };
    const ownProduct = { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' };
    const products = [...aSite().products, ownProduct];
    await using upper = await BoxProcess.start(roomy, { products, boxes: [{ box_id: 'GATEHOUSE_000002' }] });
    await using lower = await BoxProcess.make(
      {
        ...roomy,
        box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: boxKey },
        upstream: {
          mode: 'batch',
          device_http: `https://127.0.0.1:${upper.port('https')}`,
          ca: `file:${join(upper.dataDir, 'tls', 'ca.pem')}`,
        },
      },
      aSite(),
    );
    await lower.start();
    const work = atWork(lower, await readFile(join(lower.dataDir, 'tls', 'ca.pem'), 'utf8'), 8);
    const random = seededRandom(2);
    for (let kill = 0; kill < kills; kill++) {
      const before = work.terminals.reduce((sum, terminal) => sum + terminal.acknowledged.length, 0);
      await until(
        'some work is done',
        () => work.terminals.reduce((sum, one) => sum + one.acknowledged.length, 0) > before + 20,
      );
      await new Promise(resolve => setTimeout(resolve, random() * 300));
      const victim = random() < 0.5 ? lower : upper;
      await victim.kill9();
      await victim.start();
    }
    await work.stop();
    await until(
      'nothing waits below',
      async () => JSON.parse(await lower.ask('status', '--json')).outbox.waiting === 0,
    );

    const logsBelow = byDevice(await lower.export<LogRow>('logs'));
    const logsAbove = byDevice(await upper.export<LogRow>('logs'));
    const checkinsBelow = byDevice(await lower.export<CheckInRow>('checkins'));
    const checkinsAbove = byDevice(await upper.export<CheckInRow>('checkins'));
    expect(JSON.parse(await lower.ask('parked', 'list', '--json'))).toEqual([]);
    for (const { deviceId, said } of work.terminals) {
      // What the lower box stored, the upper one has: the same records in the same order, none
      // twice.
      const logs = (rows: readonly LogRow[] = []) => rows.map(({ received_at, text }) => `${received_at} ${text}`);
      expect(logs(logsAbove.get(deviceId)), `logs of ${deviceId}`).toEqual(logs(logsBelow.get(deviceId)));
      const people = (rows: readonly CheckInRow[] = []) => rows.map(row => row.ext_id);
      expect(people(checkinsAbove.get(deviceId)), `check-ins of ${deviceId}`).toEqual(
        people(checkinsBelow.get(deviceId)),
      );
      expect(people(checkinsAbove.get(deviceId))).toEqual(
        said.filter(one => one.channel === 'device').map(one => JSON.parse(one.text).data.records[0].ext_id),
      );
    }
  },
  // For what hangs: on a busy machine a kill and the work after it take 6 s.
  300_000 + 30_000 * kills,
);
