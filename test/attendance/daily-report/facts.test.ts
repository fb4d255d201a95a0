import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compose } from '../../../src/attendance/daily-report/compose.ts';
import { dailyFacts } from '../../../src/attendance/schedules/daily-facts.ts';
import { dayList } from '../../../src/attendance/schedules/day-list.ts';
import { isDue, type PersonOnDay, statusNames } from '../../../src/attendance/schedules/day-status.ts';
import type { DeviceNo } from '../../../src/store/index.ts';

/** Properties of the daily report: the pure way from the people of a day to its text. */

const now = Date.parse('2026-12-01T08:45:00+08:00');
const terminal = fc.integer({ min: 1, max: 4 }).map(no => no as DeviceNo);

const personOnDay = (id: number) =>
  fc.record({
    person: fc.constant({ place: { id, department: 1 }, name: `Person ${id}.`, extId: `e${id}` }),
    status: fc.constantFrom(...statusNames),
    plannedOn: fc.option(fc.integer({ min: now / 1000 - 40_000, max: now / 1000 + 40_000 })),
    lateMinutes: fc.nat(90),
    missingAt: fc.array(fc.integer({ min: now / 1000 - 90_000, max: now / 1000 }), { maxLength: 2 }),
    terminals: fc.uniqueArray(terminal, { maxLength: 2 }),
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<PersonOnDay>;

/** Everybody once: some ids of up to 60. */
const people = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 60 })
  .chain(ids => fc.tuple(...ids.map(personOnDay)));
const online = fc.uniqueArray(terminal).map(all => new Set(all));

const to = {
  ...{ name: 'offices', language: 'en', site: 'Plant 4', timeZone: 'Asia/Shanghai' },
  ...{ departments: [], terminals: [], pages: '' },
} as const;
const namesIn = (text: string): string[] => text.match(/Person \d+\./g) ?? [];

test('its counts are those of the page of the day', () => {
  fc.assert(
    fc.property(people, online, (all, on) => {
      const facts = dailyFacts({ day: '2026-12-01', people: all }, null, { now, online: on });
      const { counts } = dayList(all, { from: 0, limit: 0 });
      const came = counts.present + counts.late + counts.missing;
      expect(facts).toMatchObject({ came, due: came + counts.absent, expectedLater: counts.expected });
      expect(facts).toMatchObject({ leave: counts.leave, absent: { length: counts.absent } });
      expect(facts.isScheduled).toBe(facts.due + facts.expectedLater > 0);
    }),
  );
});

test('of the workday before it counts those of that page who are still here, each once', () => {
  fc.assert(
    fc.property(people, people, online, (today, yesterday, on) => {
      const before = { day: '2026-11-30', people: yesterday };
      const facts = dailyFacts({ day: '2026-12-01', people: today }, before, { now, online: on }).before!;
      const here = new Set(today.map(({ person }) => person.place.id));
      const { counts } = dayList(
        yesterday.filter(({ person }) => here.has(person.place.id)),
        { from: 0, limit: 0 },
      );
      expect([facts.late.length, facts.absent.length, facts.missing.length]).toEqual([
        ...[counts.late, counts.absent, counts.missing],
      ]);
      const names = [...facts.late, ...facts.absent, ...facts.missing].map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      const known = new Set(today.map(({ person }) => person.name));
      expect(names.filter(name => !known.has(name))).toEqual([]);
    }),
  );
});

test('of two people with one name, each has the employee number beside it', () => {
  const absent = (id: number, name: string, employeeNum: string) =>
    ({
      ...{ person: { place: { id }, name, extId: `e${id}`, employeeNum }, status: 'absent', plannedOn: id },
      ...{ lateMinutes: 0, missingAt: [], terminals: [] },
    }) as unknown as PersonOnDay;
  const people = [absent(1, '王芳', '1001'), absent(2, '李雷', '1002'), absent(3, '王芳', ''), absent(4, '', '1004')];
  const today = { day: '2026-12-01', people };
  const facts = dailyFacts(today, { day: '2026-11-30', people: people.slice(0, 1) }, { now, online: new Set() });
  expect(facts.absent.map(({ name }) => name)).toEqual(['王芳 1001', '李雷', '王芳 e3', 'e4']);
  expect(facts.before!.absent.map(({ name }) => name)).toEqual(['王芳 1001']);
});

test('it names no terminal that is online, and only those of absent people', () => {
  fc.assert(
    fc.property(people, online, (all, on) => {
      const { offline } = dailyFacts({ day: '2026-12-01', people: all }, null, { now, online: on });
      const used = all.filter(({ status }) => status === 'absent').flatMap(({ terminals }) => terminals);
      expect([...offline].sort()).toEqual([...new Set(used)].filter(no => !on.has(no)).sort());
    }),
  );
});

test('the text names people of the day alone, at most twenty in a list and nobody twice in one', () => {
  fc.assert(
    fc.property(people, people, fc.constantFrom('en' as const, 'zh' as const), (today, yesterday, language) => {
      const before = { day: '2026-11-30', people: yesterday };
      const facts = dailyFacts({ day: '2026-12-01', people: today }, before, { now, online: new Set() });
      const { title, lines, figures } = compose({ ...facts, corrections: 0, leaves: 0 }, { ...to, language });
      const known = new Set(today.map(({ person }) => person.name));
      expect(namesIn(title)).toEqual([]);
      for (const line of lines) {
        const names = namesIn(line);
        expect(names.length).toBeLessThanOrEqual(20);
        expect(new Set(names).size).toBe(names.length);
        expect(names.filter(name => !known.has(name))).toEqual([]);
      }
      const absent = today.filter(({ status }) => status === 'absent').length;
      expect(figures).toMatchObject({ absent, due: today.filter(({ status }) => isDue(status)).length });
      const named = namesIn(lines.join('\n')).length;
      const counted = [absent, facts.before!.late.length, facts.before!.absent.length, facts.before!.missing.length];
      expect(named).toBe(counted.reduce((sum, count) => sum + Math.min(20, count), 0));
    }),
  );
});
