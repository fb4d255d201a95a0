import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareVersions } from '../../../src/runtime/compare-versions.ts';
import { UpgradeRefused, upgradeFor, upgradePage } from '../../../src/services/upgrades/catalogue.ts';
import { readUpgradePath } from '../../../src/services/upgrades/upgrade-path.ts';

describe('the order of versions', () => {
  test.each([
    ['1.9', '1.10'],
    ['1.2.3', '1.3'],
    ['0', '0.0.1'],
    ['1.0-rc', '1.0'],
    ['1.0-alpha', '1.0-beta'],
    ['1.0-rc.2', '1.0-rc.10'],
    ['1.0rc2', '1.0rc10'],
    ['1.0-1', '1.0-alpha'],
    ['1.0-rc', '1.0-rc.1'],
    ['0.9', '1.0-rc'],
    ['99999999999999999998', '99999999999999999999'],
    ['beta', '0.0.0'],
    ['', '0.0.1'],
  ])('%s is older than %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0);
    expect(compareVersions(newer, older)).toBeGreaterThan(0);
  });

  test.each([
    ['1', '1.0.0'],
    ['1.2', '1.02.0'],
    ['v1.2', '1.2'],
    ['1.2+build.5', '1.2'],
    ['1.0-RC1', '1.0-rc.1'],
    [' 1.2 ', '1.2'],
    ['', '0.0.0'],
  ])('%s and %s are the same', (one, other) => {
    expect(compareVersions(one, other)).toBe(0);
  });

  const version = fc.oneof(
    fc.array(fc.constantFrom('0', '1', '2', '10', '01'), { minLength: 1, maxLength: 4 }).map(parts => parts.join('.')),
    fc
      .tuple(
        fc.constantFrom('1', '1.0', '1.2', '0'),
        fc.constantFrom('-', '', '.'),
        fc.array(fc.constantFrom('rc', 'a', '1', '10', 'B'), { maxLength: 3 }),
      )
      .map(([core, joint, parts]) => `${core}${joint}${parts.join('.')}`),
    fc.string({ maxLength: 12 }),
  );

  test('is total: any two compare one way, and the other way round the opposite', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)));
        expect(compareVersions(a, a)).toBe(0);
      }),
    );
  });

  test('is transitive', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        const [low, middle, high] = [a, b, c].sort(compareVersions) as [string, string, string];
        expect(compareVersions(low, middle)).toBeLessThanOrEqual(0);
        expect(compareVersions(middle, high)).toBeLessThanOrEqual(0);
        expect(compareVersions(low, high)).toBeLessThanOrEqual(0);
        if (compareVersions(a, b) === 0)
          expect(Math.sign(compareVersions(a, c))).toBe(Math.sign(compareVersions(b, c)));
      }),
      { numRuns: 1000 },
    );
  });

  test('is that of the numbers', () => {
    const numbers = fc.array(fc.nat(20), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const difference = [0, 1, 2, 3].map(at => (a[at] ?? 0) - (b[at] ?? 0)).find(one => one !== 0) ?? 0;
        expect(Math.sign(compareVersions(a.join('.'), b.join('.')))).toBe(Math.sign(difference));
      }),
    );
  });
});

const record = (version: string, app_code = 'panel') => ({ app_code, version, min_platform_version: 99 });
const catalogue = [record('1.2.0'), record('1.10.0'), record('1.9.0'), record('2.0.0-rc.1'), record('9.9', 'other')];

describe('the upgrade of an app', () => {
  test('is the newest record of this app that is newer', () => {
    expect(upgradeFor(catalogue, 'panel', '1.2.0')).toEqual(record('2.0.0-rc.1'));
    expect(upgradeFor(catalogue.slice(0, 3), 'panel', '1.2.0')).toEqual(record('1.10.0'));
  });

  test('is nothing for the newest, a newer one or an unknown app', () => {
    expect(upgradeFor(catalogue, 'panel', '2.0.0-rc.1')).toBeNull();
    expect(upgradeFor(catalogue, 'panel', '3')).toBeNull();
    expect(upgradeFor(catalogue, 'Panel', '1')).toBeNull();
    expect(upgradeFor([], 'panel', '1')).toBeNull();
  });

  test('without a version is the newest', () => {
    expect(upgradeFor(catalogue, 'panel')).toEqual(record('2.0.0-rc.1'));
    expect(upgradeFor(catalogue, 'panel', '')).toEqual(record('2.0.0-rc.1'));
    expect(upgradeFor([record('0.0.0')], 'panel')).toBeNull();
  });
});

describe('a page of upgrades', () => {
  test('has the newest first', () => {
    expect(upgradePage(catalogue, 'panel', 1, 3)).toEqual({
      page: 1,
      size: 3,
      total: 4,
      total_page: 2,
      rows: [record('2.0.0-rc.1'), record('1.10.0'), record('1.9.0')],
    });
    expect(upgradePage(catalogue, 'panel', 2, 3)).toMatchObject({ page: 2, rows: [record('1.2.0')] });
  });

  test('0 is the first, behind the last there are no rows, and an unknown app has none', () => {
    expect(upgradePage(catalogue, 'panel', 0, 1)).toMatchObject({ page: 1, rows: [record('2.0.0-rc.1')] });
    expect(upgradePage(catalogue, 'panel', 3, 3)).toMatchObject({ page: 3, total: 4, rows: [] });
    expect(upgradePage(catalogue, 'nobody', 1, 100)).toMatchObject({ total: 0, total_page: 0, rows: [] });
  });

  test.each([
    [1, 0],
    [1, 101],
    [1, 1.5],
    [1, Number.NaN],
    [-1, 10],
    [1.5, 10],
    [Number.NaN, 10],
    [Number.POSITIVE_INFINITY, 10],
  ])('page %d of size %d is refused', (page, size) => {
    expect(upgradePage(catalogue, 'panel', page, size)).toBeInstanceOf(UpgradeRefused);
  });

  test('all pages together are all records once', () => {
    const versions = fc.uniqueArray(fc.nat(500), { maxLength: 60 });
    fc.assert(
      fc.property(versions, fc.integer({ min: 1, max: 100 }), (numbers, size) => {
        const all = numbers.map(number => record(`1.${number}`));
        const rows: unknown[] = [];
        for (let page = 1; ; page++) {
          const answer = upgradePage(all, 'panel', page, size);
          if (answer instanceof UpgradeRefused) throw new Error(answer.message);
          rows.push(...answer.rows);
          if (page >= answer.total_page) break;
        }
        expect(rows).toEqual(numbers.sort((a, b) => b - a).map(number => record(`1.${number}`)));
      }),
    );
  });
});

describe('the path of SPEC 4.7, with the query joined or not', () => {
  test.each([
    ['panel', 'panel', '0.0.0'],
    ['panel/', 'panel', '0.0.0'],
    ['panel?version=1.2', 'panel', '1.2'],
    ['panel/?version=1.2', 'panel', '1.2'],
    ['panelversion=1.2', 'panel', '1.2'],
    ['panel&version=1.2', 'panel', '1.2'],
    ['panel?version=', 'panel', '0.0.0'],
    ['panel?other=1&version=1.2&more=2', 'panel', '1.2'],
    ['panel?version=1.1&version=1.2', 'panel', '1.2'],
    ['panel?other=1', 'panel', '0.0.0'],
    ['appversion?version=1.2', 'appversion', '1.2'],
    ['appversionversion=1.2', 'appversion', '1.2'],
    ['panel%3Fversion%3D1.2-rc%2B5', 'panel', '1.2-rc+5'],
    ['%E9%9D%A2%E6%9D%BFversion=1.2', '面板', '1.2'],
  ])('%s is %s, version %s', (rest, app_code, version) => {
    expect(readUpgradePath(rest)).toEqual({ app_code, version });
  });

  test.each(['', '/', 'version=1.2', '?version=1.2', 'panel%', 'p'.repeat(513)])('%s is refused', rest => {
    expect(readUpgradePath(rest)).toBeInstanceOf(UpgradeRefused);
  });
});
