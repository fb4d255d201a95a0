import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecentSegments } from '../../../src/store/projection/recent-segments.ts';

const bytesMax = 1000;
/** Its content says which segment it is. */
const aSegment = (seq: number, length: number) => Buffer.alloc(length, `${seq},`);

describe('the segments of the last commits in memory', () => {
  test('gives each back as it was, once', () => {
    const recent = new RecentSegments(bytesMax);
    recent.add(1, aSegment(1, 300), 1);
    recent.add(2, aSegment(2, 300), 1);
    expect(recent.take(1)).toEqual(aSegment(1, 300));
    expect(recent.take(1)).toBeNull();
    expect(recent.take(2)).toEqual(aSegment(2, 300));
  });

  test('leaves out what finds no room, and has room again when older ones were taken', () => {
    const recent = new RecentSegments(bytesMax);
    recent.add(1, aSegment(1, 600), 1);
    recent.add(2, aSegment(2, 600), 1);
    expect(recent.take(1)).toEqual(aSegment(1, 600));
    expect(recent.take(2)).toBeNull();
    recent.add(3, aSegment(3, 600), 1);
    expect(recent.take(3)).toEqual(aSegment(3, 600));
    recent.add(4, aSegment(4, bytesMax + 1), 1);
    expect(recent.take(4)).toBeNull();
  });

  test('forgets what was rolled back, and keeps what was before it', () => {
    const recent = new RecentSegments(bytesMax);
    for (const seq of [1, 2, 3]) recent.add(seq, aSegment(seq, 300), 1);
    recent.forgetFrom(2);
    recent.add(2, aSegment(22, 500), 1);
    expect(recent.take(1)).toEqual(aSegment(1, 300));
    expect(recent.take(2)).toEqual(aSegment(22, 500));
    expect(recent.take(3)).toBeNull();
  });

  test('says how full it is', () => {
    const recent = new RecentSegments(bytesMax);
    expect(recent.filled).toBe(0);
    for (const seq of [1, 2, 3]) recent.add(seq, aSegment(seq, 250), 1);
    expect(recent.filled).toBe(0.75);
    recent.take(2);
    expect(recent.filled).toBe(0.25);
    recent.forgetFrom(3);
    expect(recent.filled).toBe(0);
  });

  test('never gives another segment than the one asked for, whatever comes, goes and is rolled back', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), number: fc.nat(400) }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('take' as const), number: fc.nat(3) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const), number: fc.nat(3) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), steps => {
        const recent = new RecentSegments(bytesMax);
        /** Those that may still be asked for, with the content that each must have. */
        const expected = new Map<number, Buffer>();
        let [next, version] = [1, 0];
        for (const { kind, number } of steps) {
          if (kind === 'add') {
            const segment = aSegment(++version, number);
            expected.set(next, segment);
            recent.add(next++, segment, 1);
          } else if (kind === 'take') {
            const seq = [...expected.keys()][number];
            if (seq === undefined) continue;
            const found = recent.take(seq);
            if (found) expect(found).toEqual(expected.get(seq));
            for (const before of expected.keys()) if (before <= seq) expected.delete(before);
          } else {
            next = Math.max(...expected.keys(), 0) > 0 ? Math.max(next - number, Math.min(...expected.keys())) : next;
            recent.forgetFrom(next);
            for (const seq of expected.keys()) if (seq >= next) expected.delete(seq);
          }
          expect(recent.filled).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
