import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  covers,
  hasPeoplesData,
  hearsKind,
  isFilter,
  matches,
  readFilter,
  usualFilters,
} from '../../src/platform/event-topics.ts';

describe('filters (MQTT 3.1.1, 4.7)', () => {
  test.each([
    ['gatehouse/v1/checkins/+', 'gatehouse/v1/checkins/FT1_A1', true],
    ['gatehouse/v1/#', 'gatehouse/v1', true],
    ['gatehouse/v1/#', 'gatehouse/v1/box', true],
    ['+/v1/box', 'gatehouse/v1/box', true],
    ['gatehouse/v1/checkins/+', 'gatehouse/v1/checkins', false],
    ['gatehouse/v1/checkins/+', 'gatehouse/v1/checkins/a/b', false],
    ['gatehouse/v1/box', 'gatehouse/v1/boxes', false],
    ['#', '$SYS/x', false],
    ['+/x', '$SYS/x', false],
    ['/+', '/finance', true],
    ['+', '/finance', false],
  ])('%s and %s: %s', (filter, topic, expected) => {
    expect(matches(filter, topic)).toBe(expected);
  });

  test.each(['#', '+', 'a/#', 'a/+/b', '/', '/a', 'a//b'])('%s is one', filter => expect(isFilter(filter)).toBe(true));
  test.each(['', 'a#', 'a/#/b', 'a+', 'a/b+/c', 'a\0'])('%j is none', filter => expect(isFilter(filter)).toBe(false));

  // Levels of a pattern that tried every way to split them took a minute for 26 characters.
  test.each(['/', 'a/', '+/', '/a+'])('a filter of many %s and an end that is none is looked at once', part => {
    expect(isFilter(`${part.repeat(10_000)}\0`)).toBe(false);
  });

  const level = fc.constantFrom('a', 'b', '+');
  const filter = fc
    .tuple(fc.array(level, { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([levels, open]) => (open ? [...levels, '#'] : levels).join('/'));
  const topic = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 5 }).map(levels => levels.join('/'));

  test('what a filter is allowed is what it matches, for any topic', () => {
    fc.assert(
      fc.property(filter, filter, topic, (allowed, asked, one) => {
        if (covers(allowed, asked) && matches(asked, one)) expect(matches(allowed, one)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('a wider filter is not covered by a narrower one', () => {
    expect(covers('a/+', 'a/#')).toBe(false);
    expect(covers('a/b', 'a/+')).toBe(false);
    expect(covers('a/#', 'a')).toBe(true);
    expect(covers('a/#', '#')).toBe(false);
    expect(covers('a/+/c', 'a/b/c')).toBe(true);
  });
});

describe('what people write for a token', () => {
  test.each([
    ['checkins/#', 'gatehouse/v1/checkins/#'],
    ['devices/+/presence', 'gatehouse/v1/devices/+/presence'],
    ['gatehouse/v1/line', 'gatehouse/v1/line'],
    ['homeassistant/#', 'homeassistant/#'],
    ['#', 'gatehouse/v1/#'],
  ])('%s is %s', (text, filter) => expect(readFilter(text)).toBe(filter));
  test.each(['', 'a#', 'gatehouse/#', 'gatehouse/v2/box', 'homeassistant', `${'x'.repeat(300)}`])(
    '%s is refused',
    text => expect(readFilter(text)).toBe(null),
  );

  test("people's data is in check-ins, passages, logs and changes of people, and not in what is usual", () => {
    expect(hasPeoplesData(usualFilters)).toBe(false);
    for (const one of ['#', 'checkins/FT1_A1', '+/FT1_A1', 'people/changed', 'logs/#'])
      expect(hasPeoplesData([readFilter(one)!])).toBe(true);
  });

  test('a kind is heard as a whole or not', () => {
    expect(hearsKind(['gatehouse/v1/checkins/#'], 'checkins')).toBe(true);
    expect(hearsKind(['gatehouse/v1/checkins/FT1_A1'], 'checkins')).toBe(false);
    expect(hearsKind(['gatehouse/v1/#'], 'logs')).toBe(true);
  });
});
