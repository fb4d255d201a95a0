import { expect, test } from 'vitest';
import { type Case, dayResults, shown } from './example-site.ts';

/** What docs/decisions/schedules.md chose where the research leaves a question open. */

const results = (plan: string, punches: string, expected: string, more: Case = {}): void =>
  expect(shown(dayResults(plan, punches, expected.split(' / ').length, more), more.zone)).toBe(expected);

const site = { target: { kind: 'site' } } as const;
const department = (extId: string) => ({ target: { kind: 'department', extId } }) as const;
const person = { target: { kind: 'person', extId: 'p1' } } as const;

test('a rule of the person counts before the nearest department, that before one above, that before the site', () => {
  const rules = [
    { ...person, cycle: ['D'], to: '2026-11-16' },
    { ...department('hall'), cycle: ['N'], to: '2026-11-17' },
    { ...department('plant'), cycle: ['E'], to: '2026-11-18' },
    { ...department('other'), cycle: ['K'] },
    { ...site, cycle: ['S'], recordedAt: 99 },
  ];
  const days = dayResults('', '', 4, { roster: rules });
  expect(days.map(({ shift }) => shift)).toEqual(['D', 'N', 'E', 'S']);
});

test('a cycle of whole weeks follows the national calendar, and a rota runs on', () => {
  const calendar = { '2026-10-01': 'legal_holiday', '2026-10-02': 'rest', '2026-10-10': 'makeup' } as const;
  const kinds = (plan: string, on: string, days: number) =>
    dayResults(plan, '', days, { on, calendar }).map(({ kind, shift }) => `${kind} ${shift}`);
  expect(kinds('week D', '2026-10-01', 3)).toEqual(['legal_holiday null', 'rest null', 'rest null']);
  expect(kinds('D D', '2026-10-01', 2)).toEqual(['legal_holiday D', 'workday D']);
  expect(kinds('week D', '2026-10-10', 2)).toEqual(['workday D', 'rest null']);
});

test('a day that the site made a workday has the shift of the workday beside it', () => {
  const overrides = [{ date: '2026-11-21', what: { kind: 'workday' } }] as const;
  results('week D', '08:55 18:00', '08:55-18:00 480/480 / rest', { on: '2026-11-21', overrides });
});

test('who has leave until noon may punch before it, and leave inside a slot is taken off like a break', () => {
  const leave = (from: string, to: string) => ({ leave: { from: `2026-11-16T${from}`, to: `2026-11-16T${to}` } });
  results('D', '08:50 18:00', '08:50-18:00 300/300 leave 180', leave('09:00', '12:00'));
  results('D', '08:50 18:00', '08:50-18:00 420/420 leave 60', leave('10:00', '11:00'));
  // The break at noon belongs to neither.
  results('D', '08:50 12:05', '08:50-12:05 180/180 leave 300', leave('13:00', '18:00'));
});

test('a part of the day that is all leave takes no punches of the other part', () => {
  const leave = { leave: { from: '2026-11-16T08:00', to: '2026-11-16T16:00' } };
  results('C', '15:50 24:03', '0/0 leave 480 + 15:50-00:03 480/480', leave);
});

test('staying into a leave is no overtime', () => {
  const leave = { leave: { from: '2026-11-16T15:00', to: '2026-11-16T18:00' } };
  results('D', '08:55 17:00', '08:55-17:00 300/300 leave 180', leave);
});

test('a flexible shift that leave cuts is fixed for that day', () => {
  const leave = { leave: { from: '2026-11-16T16:00', to: '2026-11-16T18:00' } };
  results('X', '09:40 16:00', '09:40-16:00 320/360 L40 leave 120', leave);
});

test('a slot under way has no end, and nothing is early', () => {
  results('D', '08:55 12:02', '08:55-? 0/480 running; 12:02 between', { now: '2026-11-16T12:30' });
  results('D', '', '0/480 to come', { now: '2026-11-16T07:30' });
  results('D', '09:20', '09:20-? 0/480 L20 running', { now: '2026-11-16T20:00' });
});

test('a missing end is not known yet while terminals are silent', () => {
  const silence = { silentSince: '2026-11-16T17:00', now: '2026-11-17T08:00' };
  results('D', '08:55', '08:55-? 0/480 not known yet T-03 silent since 17:00', silence);
});

test('punches in pairs, one too many, are to be corrected first', () => {
  results('P', '08:55 12:02 18:01', '08:55-? 0/480 missing out; 12:02 out; 18:01 in');
});

test('work on a day off lasts from the first check-in to the last, and one alone is missing its end', () => {
  const saturday = { on: '2026-11-21' };
  results('week D', '09:00', 'rest; missing out; 09:00 in rest day', saturday);
});

test('who has no plan has no absence, and punches say that nothing is planned', () => {
  results('', '08:55', 'none; 08:55 no schedule', { roster: [] });
});
