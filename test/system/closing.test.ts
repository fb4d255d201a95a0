import { expect, test } from 'vitest';
import { type BoxClient, connectAdmin } from '../../src/admin-client/index.ts';
import { closedLines, hashOfClosed } from '../../src/attendance/months/closed-lines.ts';
import { defaultActions } from '../../src/platform/actions.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { openStore } from '../../src/store/index.ts';
import { BoxProcess } from '../support/program.ts';
import { until } from '../support/until.ts';

const people = 1500;
const site = {
  departments: [{ ext_id: '0', name: 'Plant 4' }],
  employees: Array.from({ length: people }, (_, index) => ({
    ...{ ext_id: `e${index}`, name: `Person ${index}`, mobile: '', employee_num: String(index) },
    department: { ext_id: '0' },
  })),
  shifts: [{ code: 'day', name: 'Day', times: ['09:00-18:00'] }],
  schedules: [{ who: 'site', shift: 'day', from: '2025-01-01' }],
};
const months = ['01', '02', '03', '04', '05', '06'].map(month => `2026-${month}`);

const clientOf = async ({ dataDir }: BoxProcess): Promise<BoxClient> => (await connectAdmin(dataDir))!;

/** Kills the box while it closes a month, and returns the month. One that was closed before the kill is left. */
async function cutClosing(box: BoxProcess): Promise<string> {
  for (const month of months) {
    const client = await clientOf(box);
    const closed = client.post('/attendance/closings', { month, force: 'wages are due' }).then(
      () => 'closed',
      () => 'cut',
    );
    const isUnderWay = await until('rows of the closing are written', async () => {
      const { unfinished, rows } = await client.get('/attendance/closings', { month });
      return rows.length > 0 ? 'no' : unfinished.some(({ done }) => done > 0) && 'yes';
    });
    if (isUnderWay === 'yes') await box.kill9();
    if ((await closed) === 'cut') return month;
    if (!box.alive) await box.start();
  }
  throw new Error('each month was closed before the kill');
}

/** Lines of people of a closing, as the store of a stopped box holds them; its hash is theirs. */
async function linesOf(box: BoxProcess, month: string): Promise<string[]> {
  await box.stop();
  await using store = await openStore({
    ...{ dataDir: box.dataDir, environment: 'test', timeZone: 'Asia/Shanghai', actions: defaultActions },
    ...{ upstream: false, clock: realClock, log: silentLog },
  });
  const [period, ...others] = await store.read.periods({ month, limit: 9 });
  expect(others).toEqual([]);
  expect(await hashOfClosed(store, period!)).toBe(period!.hash);
  const lines: string[] = [];
  for await (const line of closedLines(store, period!)) lines.push(line);
  return lines.slice(1, -1);
}

test('a closing that a kill cuts comes to its end after the next start, as it was asked for', async () => {
  await using box = await BoxProcess.start({}, site);
  const month = await cutClosing(box);
  await box.start();
  const client = await clientOf(box);
  const list = () => client.get('/attendance/closings', { month });
  expect(await list()).toMatchObject({ rows: [], unfinished: [{ month, asked_by: 'command', people, refused: null }] });
  const closed = await until('the month is closed', async () => (await list()).rows[0]);
  const asked = { forced: 'wages are due', closed_by: 'command', scope: null };
  expect(closed).toMatchObject({ ...asked, month, revision: 1, state: 'closed', people });
  expect(await list()).toMatchObject({ rows: [{ id: closed.id }], unfinished: [] });
  // The entry follows the closing.
  const subject = `month ${month}, the whole site, revision 1, ${people} people, hash ${closed.hash}; wages are due; begun again after it was cut`;
  const entry = await until('it is in the audit log', async () => {
    for await (const row of client.lines('get', '/audit/export'))
      if ((row as { subject: string }).subject === subject) return row;
    return null;
  });
  expect(entry).toMatchObject({ actor: 'command', action: 'POST /attendance/closings', outcome: 'done' });
  // One that nothing cuts has the same rows.
  await using other = await BoxProcess.start({}, site);
  await (await clientOf(other)).post('/attendance/closings', { month });
  const lines = await linesOf(box, month);
  expect(lines).toHaveLength(people);
  expect(lines).toEqual(await linesOf(other, month));
});
