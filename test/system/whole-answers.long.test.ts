import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { adminOf } from '../support/admin-token.ts';
import { AttendanceCaller, payroll } from '../support/attendance.ts';
import { seededRandom } from '../support/clock.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, deviceIds, productKey } from '../support/site.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';

/** `npm run test:nightly` takes all six. None has a public holiday. */
const months = ['2026-03', '2026-07', '2026-08', '2025-03', '2025-07', '2025-08'].slice(
  0,
  Number(process.env.MONTHS ?? 1),
);
/** A month is closed for those of the department `night`, while the others still come and go. */
const departmentOf = (person: string) => (person.endsWith('7') ? 'night' : '0');
const people = Array.from({ length: 300 }, (_, index) => `e${index}`);
/** Of a message; each has two check-ins. */
const daysOfMessage = 25;
const killsOfMonth = 4;

/** Days on which a person came and went. */
type Days = ReadonlyMap<string, ReadonlySet<string>>;
/** Days that an answer lacks, in words; null: it was refused, or the box was killed. */
type Question = (month: string, acknowledged: Days) => Promise<readonly string[] | null>;

const secondsOf = (day: string, time: string) => Date.parse(`${day}T${time}:00+08:00`) / 1000;
const timesOf = (day: string) => [secondsOf(day, '08:50'), secondsOf(day, '18:10')];

function workingDays(month: string): string[] {
  const days = Array.from({ length: 31 }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
  return days.filter(day => ![0, 6].includes(new Date(day).getUTCDay()));
}

/** Lacking check-ins of an answer that lists each, by person and second. */
const lackedCheckIns = (acknowledged: Days, has: (person: string, second: number) => boolean): string[] =>
  [...acknowledged].flatMap(([person, days]) =>
    [...days].filter(day => !timesOf(day).every(second => has(person, second))).map(day => `${person} on ${day}`),
  );

/** Lacking days of an answer that counts them for each person of a department. */
const lackedDays = (acknowledged: Days, worked: ReadonlyMap<string, number>, department: string): string[] =>
  [...acknowledged].flatMap(([person, { size }]) =>
    departmentOf(person) === department && (worked.get(person) ?? 0) < size
      ? [`${person} worked ${worked.get(person)} days, not ${size}`]
      : [],
  );

/** The box, four terminals, and the parties that ask. */
async function aWorkingSite() {
  await using parts = new AsyncDisposableStack();
  const box = parts.use(
    await BoxProcess.start(
      { limits: { attendance_calls_per_second: 1000 } },
      {
        ...aSite({ attendance_callers: [payroll] }),
        departments: [
          { ext_id: '0', name: 'Plant 4' },
          { ext_id: 'night', name: 'Night', p_ext_id: '0' },
        ],
        employees: people.map(id => ({
          ext_id: id,
          name: `Person ${id}`,
          mobile: '',
          employee_num: id,
          department: { ext_id: departmentOf(id) },
        })),
        shifts: [{ code: 'day', name: 'Day', times: ['09:00-18:00'] }],
        schedules: [{ who: 'site', shift: 'day', from: '2025-01-01' }],
      },
    ),
  );
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const terminals = deviceIds(4).map(deviceId => ({
    deviceId,
    client: mqtt.connect(`mqtts://127.0.0.1:${box.port('mqtts')}`, {
      ...{ ...credentials({ deviceId, key: productKey }), ca, reconnectPeriod: 50 },
    }),
  }));
  for (const { client } of terminals) {
    client.on('error', () => {});
    parts.defer(() => client.endAsync(true));
  }
  const base = `https://127.0.0.1:${box.port('https')}`;
  const caller = new AttendanceCaller(base, Date.now, payroll.app_key, payroll.app_secret, { ca });
  expect(await caller.run('checkin_query_init')).toMatchObject({ code: 0 });
  const held = parts.move();
  const admin = await adminOf(box);
  return { box, terminals, caller, admin, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
type WorkingSite = Awaited<ReturnType<typeof aWorkingSite>>;

function questionsTo({ admin, caller }: WorkingSite): Readonly<Record<string, Question>> {
  /** Null where the box was killed, or says that its tables are behind. */
  const textOf = async (path: string) => {
    const answer = await admin('GET', path).catch(() => null);
    if (answer?.status === 200) return answer.text;
    expect([503, undefined]).toContain(answer?.status);
    return null;
  };
  const fromOf = (month: string) => `from=${secondsOf(`${month}-01`, '00:00')}`;
  const keyOf = (person: string, second: number) => `${person} ${second}`;
  let payrollAt = 0;
  const payrollHas = new Set<string>();
  return {
    async export(month, acknowledged) {
      const text = await textOf(`/export/checkins?${fromOf(month)}`);
      // A whole one ends with an empty line.
      if (!text?.endsWith('\n\n')) return null;
      const rows = text.trim() === '' ? [] : text.trim().split('\n');
      const there = new Set(rows.map(row => JSON.parse(row)).map(one => keyOf(one.ext_id, one.check_time)));
      return lackedCheckIns(acknowledged, (person, second) => there.has(keyOf(person, second)));
    },
    async payroll(_, acknowledged) {
      for (;;) {
        const answer = await caller.run('checkin_query', { next_id: payrollAt, page_size: 500 }).catch(() => null);
        // 108: the tables are behind.
        if (answer === null || answer.code === 108) return null;
        expect(answer.code).toBe(0);
        for (const { ext_id, check_time } of answer.data.data) payrollHas.add(keyOf(ext_id, check_time));
        payrollAt = answer.data.next_id;
        if (answer.data.data.length > 0) continue;
        return lackedCheckIns(acknowledged, (person, second) => payrollHas.has(keyOf(person, second)));
      }
    },
    async person(month, acknowledged) {
      const [person, days] = [...acknowledged].at(-1) ?? [people[0]!, new Set<string>()];
      const text = await textOf(`/people/${person}/checkins?month=${month}`);
      if (text === null) return null;
      const there = new Set((JSON.parse(text).rows as { at: number }[]).map(({ at }) => at));
      return lackedCheckIns(new Map([[person, days]]), (_, second) => there.has(second));
    },
    async results(month, acknowledged) {
      const worked = new Map<string, number>();
      for (let cursor = ''; ; ) {
        const text = await textOf(`/attendance/results?month=${month}&with=sums&limit=200${cursor}`);
        if (text === null) return null;
        const page: { rows: { ext_id: string; sums: { days: { worked: number } } }[]; cursor: string | null } =
          JSON.parse(text);
        for (const { ext_id, sums } of page.rows) worked.set(ext_id, sums.days.worked);
        if (page.cursor === null) return lackedDays(acknowledged, worked, '0');
        cursor = `&cursor=${encodeURIComponent(page.cursor)}`;
      }
    },
    async 'month for payroll'(month, acknowledged) {
      const text = await textOf(`/reports/month/month.csv?month=${month}`);
      if (text === null) return null;
      const [header, ...rows] = text
        .trim()
        .split('\r\n')
        .map(row => row.split(','));
      // The header has columns with a comma in quotes only behind this one.
      const column = header!.indexOf('Days worked');
      return lackedDays(acknowledged, new Map(rows.map(row => [row[0]!, Number(row[column])])), '0');
    },
  };
}

/** Sends the check-ins of a month in an order of its own; resolves when each is acknowledged. */
function comeToWork({ terminals }: WorkingSite, month: string, random: () => number) {
  const acknowledged = new Map<string, Set<string>>();
  const left = people.flatMap(person => workingDays(month).map(day => ({ person, day })));
  for (let index = left.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [left[index], left[other]] = [left[other]!, left[index]!];
  }
  const all = left.length;
  let count = 0;
  const send = async ({ deviceId, client }: WorkingSite['terminals'][number]) => {
    for (let batch = left.splice(0, daysOfMessage); batch.length > 0; batch = left.splice(0, daysOfMessage)) {
      const records = batch.flatMap(({ person, day }) =>
        timesOf(day).map(second => ({ ext_id: person, check_type: 'fa', check_time: second })),
      );
      const mid = `${month}-${batch[0]!.person}-${batch[0]!.day}`;
      const message = { mid, from: deviceId, to: 'system', time: 0, action: 2001, data: { records } };
      const publish = () => client.publishAsync('device', JSON.stringify(message), { qos: 1 });
      // A connection that ends while messages are sent again refuses those that wait.
      while (!(await publish().catch(() => null)));
      for (const { person, day } of batch) acknowledged.set(person, (acknowledged.get(person) ?? new Set()).add(day));
      count += batch.length;
    }
  };
  // Eight messages of each terminal wait for their acknowledgement.
  const sent = Promise.all(terminals.flatMap(terminal => Array.from({ length: 8 }, () => send(terminal))));
  return {
    sent,
    share: () => count / all,
    snapshot: (): Days => new Map([...acknowledged].map(([person, days]) => [person, new Set(days)])),
  };
}

/** Closes the month of the department `night`; what the closing lacks of `acknowledged` once it is closed, however often it was cut. */
async function closed({ admin }: WorkingSite, month: string, acknowledged: Days): Promise<readonly string[]> {
  let id: number | undefined;
  await admin('POST', '/attendance/closings', { month, department: 'night', force: 'wages are due' }).catch(() => null);
  await until('the month is closed', async () => {
    const list = await admin('GET', `/attendance/closings?month=${month}`).catch(() => null);
    if (list?.status !== 200) return false;
    const { rows, unfinished } = list.json as { rows: { id: number }[]; unfinished: { refused: unknown }[] };
    id = rows[0]?.id;
    // Cut before it was written down, or refused because the tables were behind.
    if (id === undefined && unfinished.every(({ refused }) => refused !== null))
      await admin('POST', '/attendance/closings', { month, department: 'night', force: 'wages are due' }).catch(
        () => null,
      );
    return id !== undefined;
  });
  const file = await until('it can be read', async () => {
    const answer = await admin('GET', `/reports/closings/${id}`).catch(() => null);
    return answer?.status === 200 ? answer.text : null;
  });
  const lines: { person?: { extId: string }; sums?: { days: { worked: number } } }[] = file
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const worked = lines.flatMap(({ person, sums }) =>
    person && sums ? [[person.extId, sums.days.worked] as const] : [],
  );
  return lackedDays(acknowledged, new Map(worked), 'night');
}

test(
  'an export, a page, a walk by next_id, a month and its closing lack no check-in acknowledged before they were asked for, whenever that is and whatever is killed',
  async () => {
    await using site = await aWorkingSite();
    const questions = questionsTo(site);
    const [asked, lacked]: [Record<string, number>, string[]] = [{}, []];
    for (const [no, month] of months.entries()) {
      const random = seededRandom(60 + no);
      const work = comeToWork(site, month, random);
      const names = Object.keys(questions);
      let isOver = false;
      const asking = names.map(async name => {
        while (!isOver) {
          await new Promise(resolve => setTimeout(resolve, random() * (name === 'payroll' ? 20 : 1000)));
          const lacks = await questions[name]!(month, work.snapshot());
          if (lacks === null) continue;
          asked[name] = (asked[name] ?? 0) + 1;
          lacked.push(...lacks.slice(0, 3).map(one => `${name}: ${one}`));
        }
      });
      let closing: Promise<readonly string[]> | undefined;
      for (let kill = 1; kill <= killsOfMonth; kill++) {
        const share = (kill - random()) / (killsOfMonth + 1);
        await until('some of it is acknowledged', () => work.share() > share);
        if (kill === 3) closing = closed(site, month, work.snapshot());
        await new Promise(resolve => setTimeout(resolve, random() * 300));
        await site.box.kill9();
        await site.box.start();
      }
      await work.sent;
      lacked.push(...(await closing!).slice(0, 3).map(one => `closing: ${one}`));
      isOver = true;
      await Promise.all(asking);
      // Asked again when all is quiet, each has an answer.
      for (const name of names)
        lacked.push(...(await until(`${name} answers`, () => questions[name]!(month, work.snapshot()))).slice(0, 3));
    }
    expect(lacked).toEqual([]);
    expect(Object.keys(asked).sort()).toEqual(Object.keys(questions).sort());
  },
  120_000 + 180_000 * months.length,
);
