import { expect, test } from 'vitest';
import { MonthClosings } from '../../../src/attendance/index.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import { anAttendanceBox } from '../../support/attendance.ts';
import { until } from '../../support/until.ts';

const month = '2025-10';
const asked = { month, department: { extId: 'd1', name: 'Assembly' }, by: 'mei', force: 'wages are due' };
/** A check-in that names nobody is in the way. */
const unforced = { ...asked, force: null };

async function aSite({ isRegion = false } = {}) {
  const box = await anAttendanceBox();
  const { store, clock } = box.gateway;
  const audited: object[] = [];
  const closings = () =>
    new MonthClosings({
      ...{
        work: box.reports(),
        store: { ...store, audit: { ...store.audit, note: async (one: object) => void audited.push(one) } },
      },
      ...{
        clock,
        log: silentLog,
        isRegion,
        site: { timezone: 'Asia/Shanghai' },
        wrongClocks: async () => ['North gate'],
      },
    });
  return {
    ...{ box, store, clock, audited, closings },
    /** Draft of a process that ended in the middle. */
    async cut({ force }: { readonly force: string | null } = asked, times = 1): Promise<void> {
      for (let attempt = 0; attempt < times; attempt++) {
        const [draft] = await store.read.closingDrafts({ now: clock.now() });
        await store.write.beginClosing({
          ...{ month, scopeId: 'd1', scopeName: 'Assembly', forced: force, by: 'mei', people: 1 },
          ...{ timeZone: 'Asia/Shanghai', rules: '1.2.3', at: clock.now(), instead: draft?.id ?? null },
        });
      }
    },
    drafts: () => store.read.closingDrafts({ now: clock.now() }),
    closed: () => store.read.periods({ month, limit: 9 }),
    async [Symbol.asyncDispose]() {
      await box[Symbol.asyncDispose]();
    },
  };
}

const inTheWay = { why: 'in_the_way', in_the_way: [{ what: 'unknown_checkins', count: 1 }] };
const punchOfNobody = (site: Awaited<ReturnType<typeof aSite>>) =>
  site.box.punch('nobody', Date.parse('2025-10-07T09:00:00+08:00') / 1000);

test('a closing that was cut is begun again after the start, as it was asked for, and audited', async () => {
  await using site = await aSite();
  await site.cut();
  await using _months = site.closings();
  await site.clock.advance(14_000);
  expect(await site.closed()).toEqual([]);
  await site.clock.advance(1000);
  const [period] = await until('it is closed', async () => ((await site.closed()).length > 0 ? site.closed() : null));
  expect(period).toMatchObject({ revision: 1, scopeName: 'Assembly', closedBy: 'mei', forced: 'wages are due' });
  expect(JSON.parse(period!.foot)).toMatchObject({ people: 1, wrong_clocks: ['North gate'] });
  expect(await site.drafts()).toEqual([]);
  await until('it is audited', () => site.audited.length > 0);
  expect(site.audited).toMatchObject([
    {
      ...{ actor: 'mei', action: 'POST /attendance/closings', outcome: 'done' },
      subject: expect.stringMatching(
        /^month 2025-10, Assembly, revision 1, 1 people, .*; begun again after it was cut$/,
      ),
    },
  ]);
});

test('what came meanwhile and is in the way of a closing that was cut is said until it is closed', async () => {
  await using site = await aSite();
  await punchOfNobody(site);
  await site.cut(unforced);
  await using months = site.closings();
  await site.clock.advance(15_000);
  const [draft] = await until('it is refused', async () => {
    const drafts = await site.drafts();
    return drafts[0]?.refusal ? drafts : null;
  });
  expect(draft).toMatchObject({ month, scopeName: 'Assembly', closedBy: 'mei' });
  expect(JSON.parse(draft!.refusal!)).toEqual(inTheWay);
  await until('it is audited', () => site.audited.length > 0);
  expect(site.audited).toMatchObject([
    { actor: 'mei', outcome: 'refused', subject: 'month 2025-10, Assembly: not closed, something was not settled' },
  ]);
  // A refused draft is not begun again.
  await site.clock.advance(600_000);
  expect(await site.drafts()).toMatchObject([{ id: draft!.id }]);
  expect(await months.close(asked)).toMatchObject({ ok: true, period: { revision: 1 } });
  expect(await site.drafts()).toEqual([]);
});

test('a refusal stays for whoever went away before it, and for nobody else', async () => {
  await using site = await aSite();
  await punchOfNobody(site);
  await using months = site.closings();
  expect(await months.close(unforced)).toMatchObject({ ok: false, why: 'in_the_way' });
  expect(await site.drafts()).toEqual([]);
  expect(await months.close(unforced, AbortSignal.abort())).toMatchObject({ ok: false, why: 'in_the_way' });
  expect((await site.drafts()).map(({ refusal }) => JSON.parse(refusal!))).toEqual([inTheWay]);
  expect(site.audited).toMatchObject([{ outcome: 'refused' }]);
});

test('a closing that was cut three times is given up', async () => {
  await using site = await aSite();
  await site.cut(asked, 3);
  await using _months = site.closings();
  await site.clock.advance(15_000);
  const refusal = await until('it is given up', async () => (await site.drafts())[0]?.refusal);
  expect(JSON.parse(refusal)).toEqual({ why: 'failed', in_the_way: [] });
  expect(await site.closed()).toEqual([]);
});

test('in a region one process takes a closing up, when nothing was added to it for two minutes', async () => {
  await using site = await aSite({ isRegion: true });
  await site.cut();
  await using _one = site.closings();
  await using _other = site.closings();
  await site.clock.advance(100_000);
  expect(await site.closed()).toEqual([]);
  expect(await site.drafts()).toMatchObject([{ attempt: 1 }]);
  await site.clock.advance(40_000);
  await until('it is closed', async () => (await site.closed()).length > 0);
  await until('it is audited', () => site.audited.length > 0);
  expect(await site.closed()).toMatchObject([{ revision: 1, state: 'closed' }]);
  expect(site.audited).toHaveLength(1);
});
