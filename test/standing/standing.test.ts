import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rulesOf } from '../../src/alerts/index.ts';
import { standingPath, standingTitle } from '../../src/platform/alert-words.ts';
import { type Alert, alertKinds, alertKindTable } from '../../src/platform/alerts.ts';
import { type Facts, standing } from '../../src/standing/index.ts';
import { noWhy } from '../../src/words/sentences.ts';
import { wellFacts } from '../support/facts.ts';

const rules = rulesOf({});
const at = Date.UTC(2026, 10, 23, 6, 19);
const device = (no: number) => ({ deviceId: `FACE-T1_A${no}`, name: `Gate ${no}` });
const silent = (...since: (number | null)[]) => since.map((one, no) => ({ ...device(no), since: one }));

const titles = (facts: Partial<Facts>, open: readonly Alert[] = []) =>
  standing({ ...wellFacts, ...facts }, rules, open).list.map(one => standingTitle(one, 'en'));

const alert = (kind: Alert['kind'], subject = ''): Alert => ({
  ...{ id: 'a1', kind, subject, severity: 'warn', since: at, openedAt: at, announcedAt: null, announcedAs: null },
  ...{ overAt: null, isDone: false, details: { name: subject, percent: 86, state: 'ok' } },
});

describe('what wants a person', () => {
  test.each<[string, Partial<Facts>, string]>([
    ['a device that has never connected', { neverHere: [device(1)] }, 'Gate 1 has never connected'],
    [
      'devices that wait for approval',
      { unapproved: [device(1), device(2)] },
      '2 devices are waiting for approval to receive personal data',
    ],
    ['devices that are rejected', { rejected: 5 }, '5 devices rejected'],
    ['no device at all', { known: 0, online: 0 }, 'No device is set up yet'],
    ['no backup, from the first day on', { backup: { ageDays: 0, never: true, tooOldDays: null } }, 'Not backed up'],
    ['no recovery key', { recoveryKey: 'none' }, 'No recovery key'],
    ['a recovery key that nobody has confirmed', { recoveryKey: 'unconfirmed' }, 'Recovery key not confirmed'],
    [
      'a zone that is the default',
      { zone: { name: 'Asia/Shanghai', isConfirmed: false } },
      'Time zone not confirmed: Asia/Shanghai',
    ],
    [
      'a daily report that was given up',
      { dailyReports: [{ name: 'Halls', why: 'no answer in 120 s' }] },
      'Daily attendance report "Halls" not delivered',
    ],
    ['a month that is over', { monthToClose: '2026-10' }, 'October 2026 is ready to close'],
    [
      'a disk that is full',
      { disk: { ...wellFacts.disk!, usedPercent: 100, state: 'disk_full' } },
      'Disk full: new records are rejected',
    ],
  ])('%s', (_, facts, title) => {
    expect(titles(facts)).toEqual([title]);
  });

  test('nothing on a box that is well', () => {
    expect(titles({})).toEqual([]);
  });

  test('nothing of backups in a region, whose database has its own', () => {
    expect(titles({ backup: null, recoveryKey: null })).toEqual([]);
  });

  test('a switch that is dead is said once, with the moment and the cause', () => {
    const found = standing(
      { ...wellFacts, known: 3, online: 0, silent: silent(at, at + 40_000, at + 90_000) },
      rules,
      [],
    );
    expect(found.list).toMatchObject([{ kind: 'silent', count: 3, since: at, subject: '' }]);
    expect(standingTitle(found.list[0]!, 'en')).toBe(
      'All 3 devices are offline: check the switch, the network or the power',
    );
    expect(standingTitle(found.list[0]!, 'zh')).toBe('全部 3 台设备离线：请检查交换机、网络或电源');
  });

  test('devices that went at different times are one line without a moment', () => {
    const found = standing({ ...wellFacts, silent: silent(at, at + 3600_000) }, rules, []);
    expect(found.list).toMatchObject([{ count: 2, since: null, details: { names: 'Gate 0, Gate 1', all: 0 } }]);
  });

  test('the worst comes first', () => {
    const disk = { ...wellFacts.disk!, state: 'disk_full' };
    expect(
      standing({ ...wellFacts, monthToClose: '2026-10', rejected: 1, disk }, rules, []).list.map(one => one.kind),
    ).toEqual(['disk', 'rejected', 'month']);
  });

  test('no backup for longer than the rule is one line, that of the alert', () => {
    expect(titles({ backup: { ageDays: 20, never: true, tooOldDays: null } })).toEqual(['Not backed up']);
  });

  test('a kind of which no alert is sent is in the list', () => {
    const quiet = rulesOf({ rules: { disk: { severity: 'off' } } });
    const facts = { ...wellFacts, disk: { ...wellFacts.disk!, usedPercent: 90 } };
    expect(standing(facts, quiet, []).list).toMatchObject([{ kind: 'disk', severity: 'warn' }]);
  });
});

describe('alerts that are open', () => {
  const disk = (usedPercent: number) => ({ disk: { ...wellFacts.disk!, usedPercent } });

  test('stay in the list while their fact is better and not yet well, with the figure of now', () => {
    expect(titles(disk(82))).toEqual([]);
    expect(titles(disk(82), [alert('disk')])).toEqual(['Disk 82 % full']);
    const { alerts } = standing({ ...wellFacts, ...disk(82) }, rules, [alert('disk')]);
    expect(alerts).toMatchObject([{ id: 'a1', openedAt: at, details: { percent: 82 } }]);
  });

  test('whose trouble has gone are neither in the list nor open for whoever asks', () => {
    expect(standing({ ...wellFacts, ...disk(50) }, rules, [alert('disk')])).toEqual({ list: [], alerts: [] });
  });

  test('whose facts are unknown stay as they are', () => {
    expect(titles({ disk: null }, [alert('disk')])).toEqual(['Disk 86 % full']);
  });
});

const some = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }).map(all => [...new Set(all)].map(device));
const facts: fc.Arbitrary<Facts> = fc.record({
  disk: fc.option(
    fc.record({
      usedPercent: fc.integer({ min: 0, max: 100 }),
      daysLeft: fc.option(fc.integer({ min: 0, max: 400 })),
      isLow: fc.boolean(),
      fewInodes: fc.option(fc.integer({ min: 0, max: 99 })),
      state: fc.constantFrom('ok', 'disk_full', 'broken', 'read_only'),
      unreadableRecords: fc.option(fc.integer({ min: 1, max: 9 })),
      isUnwritable: fc.boolean(),
    }),
  ),
  wearDays: fc.option(fc.integer({ min: 1, max: 5000 })),
  line: fc.option(
    fc.record({
      ...{
        isUp: fc.boolean(),
        isRefused: fc.boolean(),
        since: fc.option(fc.constant(at)),
        why: fc.constant('no route'),
      },
      ...{ waiting: fc.nat(999), oldestMinutes: fc.nat(99), parked: fc.nat(3) },
    }),
  ),
  mirror: fc.option(fc.record({ hidden: fc.nat(3), held: fc.nat(3), incomplete: fc.constant(noWhy) })),
  silent: fc.option(some.map(all => all.map(one => ({ ...one, since: at })))),
  ...{ known: fc.nat(9), online: fc.nat(9), neverHere: some, unapproved: some, rejected: fc.nat(3) },
  refusedLogins: fc.option(fc.nat(30)),
  backup: fc.option(
    fc.record({ ageDays: fc.nat(40), never: fc.boolean(), tooOldDays: fc.option(fc.integer({ min: 1, max: 9 })) }),
  ),
  clockSynchronized: fc.option(fc.boolean()),
  deviceClocks: fc.option(some.map(all => all.map(one => ({ ...one, seconds: 90 })))),
  unreadable: fc.option(some.map(all => all.map(one => ({ ...one, count: 2, since: at, why: 'no JSON' })))),
  usedTwice: fc.option(some.map(all => all.map(one => ({ ...one, addresses: ['10.0.0.1', '10.0.0.2'], since: at })))),
  certificateDays: fc.option(fc.integer({ min: -9, max: 400 })),
  update: fc.option(fc.constantFrom('', 'gatehouse-1.1.0.raucb')),
  rebooted: fc.option(fc.boolean()),
  recoveryKey: fc.constantFrom('none', 'unconfirmed', 'kept', null),
  zone: fc.record({ name: fc.constant('Europe/Berlin'), isConfirmed: fc.boolean() }),
  monthToClose: fc.option(fc.constant('2026-10')),
  dailyReports: fc.array(
    fc.record({ name: fc.constantFrom('halls', 'offices'), why: fc.constant('no answer in 120 s') }),
    {
      maxLength: 1,
    },
  ),
  channels: fc.constant([]),
});
const open = fc
  .array(fc.record({ kind: fc.constantFrom(...alertKinds), no: fc.integer({ min: 0, max: 9 }) }), { maxLength: 6 })
  .map(all => all.map(({ kind, no }) => alert(kind, no === 0 ? '' : device(no).deviceId)));

describe('whatever the facts are', () => {
  test('an alert that is open is in the list, and a kind is one line', () => {
    fc.assert(
      fc.property(facts, open, (given, alerts) => {
        const { list, alerts: shown } = standing(given, rules, alerts);
        const kinds = list.map(one => one.kind);
        expect(new Set(kinds).size).toBe(kinds.length);
        for (const one of shown) expect(kinds).toContain(one.kind);
      }),
    );
  });

  test('the list is empty only where no fact is bad', () => {
    fc.assert(
      fc.property(facts, given => {
        if (standing(given, rules, []).list.length > 0) return;
        expect(given.disk?.state ?? 'ok').toBe('ok');
        expect([given.disk?.isLow, given.disk?.isUnwritable]).not.toContain(true);
        expect(given.line?.isUp ?? true).toBe(true);
        expect([given.silent ?? [], given.neverHere, given.unapproved, given.deviceClocks ?? []].flat()).toEqual([]);
        expect([given.rejected, given.line?.parked ?? 0]).toEqual([0, 0]);
        expect(given.known).toBeGreaterThan(0);
        expect([given.recoveryKey ?? 'kept', given.backup?.never ?? false]).toEqual(['kept', false]);
        expect(given.dailyReports).toEqual([]);
        expect([given.zone.isConfirmed, given.monthToClose, given.rebooted ?? false]).toEqual([true, null, false]);
      }),
      { numRuns: 2000 },
    );
  });

  test('each line has a title and a remedy in both languages, and a page that is not Today', () => {
    fc.assert(
      fc.property(facts, open, (given, alerts) => {
        for (const one of standing(given, rules, alerts).list) {
          expect(standingPath(one)).toMatch(/^\/[a-z]/);
          for (const language of ['en', 'zh'] as const) {
            const title = standingTitle(one, language);
            expect(title, one.kind).toBeTruthy();
            expect(title, one.kind).not.toMatch(/undefined|NaN|null/);
          }
        }
      }),
    );
  });
});

test('kinds of the list alone send no alert before a rule asks for it', () => {
  const unsent = alertKinds.filter(kind => 'unsent' in alertKindTable[kind]);
  expect(unsent.map(kind => rules[kind].severity)).toEqual(unsent.map(() => 'off'));
  expect(unsent).toContain('month');
});
