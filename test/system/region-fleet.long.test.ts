import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AttendanceCaller, payroll } from '../support/attendance.ts';
import { type WalkedPages, walkedPages } from '../support/integrator.ts';
import { type BatchLine, LightBox } from '../support/light-box.ts';
import { suiteWithPostgres } from '../support/postgres.ts';
import { BoxProcess } from '../support/program.ts';
import { aRegion, type Region } from '../support/region.ts';
import { aSite, deviceIds } from '../support/site.ts';
import { punch } from '../support/terminal.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';

/** `npm run test:nightly` has 500. */
const boxCount = Number(process.env.BOXES ?? 200);
/** `KILLS=20` for a long run; the database crashes at each fourth. */
const kills = Number(process.env.KILLS ?? 4);
/** Of each box, between two kills. */
const linesOfRound = 4;
/** Within which all boxes send those. */
const roundMs = 2000;
const people = 100;
const boxKey = 'key-of-the-boxes-below';
const checkTimeFrom = 1_763_600_000;

const boxIds = deviceIds(boxCount, 'GATEHOUSE');
const terminalIds = deviceIds(boxCount);
const serialOf = (deviceId: string) => deviceId.slice(deviceId.indexOf('_') + 1);
const site = {
  products: [
    ...aSite().products,
    { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' },
  ],
  boxes: boxIds.map(box_id => ({ box_id })),
  attendance_callers: [payroll],
  departments: [{ ext_id: '0', name: 'Plant' }],
  employees: Array.from({ length: people }, (_, index) => ({
    ...{ ext_id: `p${index}`, name: `Person ${index}`, mobile: '13800000000', employee_num: String(1000 + index) },
    department: { ext_id: '0', title: '' },
  })),
};
/** Every box and terminal is a new device here. */
const config = { admission: { new_devices_per_hour: 1_000_000 } };

/** The n-th line of a box's only terminal: check-ins and logs in turn. */
function lineOf(box: number, n: number): BatchLine {
  const device_id = terminalIds[box]!;
  const at = { device_id, received_at: (checkTimeFrom + n) * 1000 };
  const mid = `m${n}`;
  if (n % 2 === 0)
    return { ...at, channel: 'log', topic: `log/FT1/${serialOf(device_id)}`, payload: JSON.stringify({ log: mid }) };
  const payload = punch(device_id, mid, `p${(box + n) % people}`, checkTimeFrom + n);
  return { ...at, channel: 'device', topic: 'device', payload };
}

/**
 * Every box sends its next lines at a moment of its own. A process is killed when half of them are
 * acknowledged; after a crash of the database the other one ends too, and is started again.
 */
async function throughKills({ postgres, watched }: Region, boxes: readonly LightBox[]): Promise<void> {
  const acked = () => boxes.reduce((sum, box) => sum + box.acked, 0);
  let sending: Promise<void>[] = boxes.map(async () => {});
  for (let round = 0; round <= kills; round++) {
    const before = acked();
    sending = sending.map(async (earlier, index) => {
      const box = boxes[index]!;
      await earlier;
      await new Promise(resolve => setTimeout(resolve, Math.random() * roundMs));
      for (let more = 0; more < linesOfRound; more++) box.lines.push(lineOf(index, box.lines.length + 1));
      await box.send(linesOfRound, 1);
    });
    const sent = Promise.all(sending);
    if (round === kills) await sent;
    else {
      const half = until('half is acknowledged', () => acked() >= before + (boxCount * linesOfRound) / 2);
      await Promise.race([half, sent]);
      const victim = watched.processes[round % watched.processes.length]!;
      await watched.restart(victim, 'kill9', async () => {
        if (round % 4 === 3) await postgres.crash();
      });
    }
  }
}

/** What the region has of each terminal, from either process. */
async function expectEachOnceInOrder(boxes: readonly LightBox[], { watched }: Region): Promise<void> {
  const [first, second] = watched.processes as [BoxProcess, BoxProcess];
  const logs = await first.export<{ device_id: string; text: string }>('logs');
  const checkins = await second.export<{ device_id: string; ext_id: string; check_time: number }>('checkins');
  const logsOf = Map.groupBy(logs, ({ device_id }) => device_id);
  const checkinsOf = Map.groupBy(checkins, ({ device_id }) => device_id);
  for (const [index, { lines }] of boxes.entries()) {
    const deviceId = terminalIds[index]!;
    const sent = (channel: BatchLine['channel']) => lines.filter(line => line.channel === channel);
    expect(
      (logsOf.get(deviceId) ?? []).map(({ text }) => text),
      deviceId,
    ).toEqual(sent('log').map(({ payload }) => payload));
    expect(
      (checkinsOf.get(deviceId) ?? []).map(({ ext_id, check_time }) => ({ ext_id, check_time })),
      deviceId,
    ).toEqual(
      sent('device').map(({ payload }) => {
        const [record] = JSON.parse(payload).data.records;
        return { ext_id: record.ext_id, check_time: record.check_time };
      }),
    );
  }
}

/** All lines in an order in which the region may have taken them: that of its check-ins. */
function inOrderOf({ pages }: WalkedPages, boxes: readonly LightBox[]): BatchLine[] {
  const byTerminal = new Map(boxes.map(({ lines }, index) => [serialOf(terminalIds[index]!), lines]));
  const taken = new Map<string, number>();
  const ordered: BatchLine[] = [];
  for (const { terminal_id, check_time } of pages.flatMap(page => JSON.parse(page).data)) {
    const n = check_time - checkTimeFrom;
    ordered.push(...byTerminal.get(terminal_id)!.slice(taken.get(terminal_id) ?? 0, n));
    taken.set(terminal_id, n);
  }
  for (const [terminal, lines] of byTerminal) ordered.push(...lines.slice(taken.get(terminal) ?? 0));
  return ordered;
}

const initialize = async (url: string, ca: string) => {
  const caller = new AttendanceCaller(url, Date.now, payroll.app_key, payroll.app_secret, { ca });
  expect((await caller.run('checkin_query_init')).code).toBe(0);
};

const median = (values: readonly number[]): string =>
  [...values].sort((one, other) => one - other)[values.length >> 1]?.toFixed(1) ?? '-';

suiteNeeding('haproxy', 'haproxy', 'a region', () => {
  suiteWithPostgres('on PostgreSQL', () => {
    test(`takes the lines of ${boxCount} boxes once and in order through ${kills} kills, and pages them as one box does`, async () => {
      await using region = await aRegion(site, () => config);
      const [first, second] = region.watched.processes as [BoxProcess, BoxProcess];
      const baseOf = (process: BoxProcess) => `https://127.0.0.1:${process.port('https')}`;
      // Not by HAProxy: on a slow machine it takes both for dead at times, and this asks only once.
      await initialize(baseOf(first), region.ca);
      const boxes = boxIds.map(deviceId => new LightBox({ deviceId, key: boxKey }, region.url, region.ca));
      const begun = performance.now();
      await throughKills(region, boxes);
      const seconds = (performance.now() - begun) / 1000;
      for (const box of boxes) box.end();
      await expectEachOnceInOrder(boxes, region);

      const paged = await walkedPages(baseOf(first), region.ca, payroll);
      const pagedByOther = await walkedPages(baseOf(second), region.ca, payroll);
      expect(pagedByOther.pages).toEqual(paged.pages);

      await using single = await BoxProcess.start(config, { ...site, boxes: site.boxes.slice(0, 1) });
      const ca = await readFile(join(single.dataDir, 'tls', 'ca.pem'), 'utf8');
      const base = baseOf(single);
      await initialize(base, ca);
      const one = new LightBox({ deviceId: boxIds[0]!, key: boxKey }, base, ca);
      one.lines.push(...inOrderOf(paged, boxes));
      while (one.acked < one.lines.length) await one.send(999);
      one.end();
      const known = one.lines.filter(({ channel }) => channel === 'device').length;
      await until('its tables have them', async () => (await single.export('checkins')).length === known);
      const pagedBySingle = await walkedPages(base, ca, payroll);
      expect(paged.pages).toEqual(pagedBySingle.pages);

      const lines = one.lines.length;
      const sum = (of: 'logins' | 'failed') => boxes.reduce((all, { counted }) => all + counted[of], 0);
      console.log(
        `${lines} lines of ${boxCount} boxes in ${seconds.toFixed(0)} s through ${kills} kills and ${kills >> 2} crashes: ${sum('logins')} logins, ${sum('failed')} posts that failed, ended by themselves: ${region.watched.endedThemselves}; a page of 500, ms: ${median(paged.ms)} and ${median(pagedByOther.ms)}, of one box on SQLite ${median(pagedBySingle.ms)} (${paged.ms.length} pages)`,
      );
    }, 1_800_000);
  });
});
