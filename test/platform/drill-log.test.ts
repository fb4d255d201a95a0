import { expect, test } from 'vitest';
import type { CardResult, LineResult, TerminalsResult } from '../../src/platform/drill.ts';
import { drillLogText } from '../../src/platform/drill-log.ts';
import { limits } from '../../src/platform/limits.ts';

const when = { begunAt: 1_763_600_000_000, endedAt: 1_763_600_060_000 };
const head = { event: 'drill', begun_at: when.begunAt, ended_at: when.endedAt };

const terminals = (count: number, why = ''): TerminalsResult => ({
  ...{ kind: 'terminals', id: 'a', ...when, outcome: 'failed', hasCloud: true, known: count + 7, done: 0, punched: 0 },
  terminals: Array.from({ length: count }, (_, no) => ({
    ...{ deviceId: `FACE-T1_B${no}`, state: 'parked', why, punchedAt: 1_763_600_000 },
    ...{ receivedAt: when.begunAt + 1, storedAt: when.begunAt + 2, sentAt: when.begunAt + 3, confirmedAt: null },
  })),
});

test('of the terminals it names as many as fit into a log record, and counts the others', () => {
  for (const [count, why] of [
    [500, ''],
    [500, '400: 这台终端的打卡无法识别'.repeat(40)],
  ] as const) {
    const text = drillLogText(terminals(count, why));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.logBytesMax);
    const said = JSON.parse(text);
    expect(said).toMatchObject({ ...head, kind: 'terminals', outcome: 'failed', known: 507, done: 0 });
    expect(said.terminals.length).toBeGreaterThan(3);
    expect(said.unlisted).toBe(507 - said.terminals.length);
    // One more would not have fitted.
    expect(Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(said.terminals[0]))).toBeGreaterThan(
      limits.logBytesMax - 20,
    );
  }
  expect(JSON.parse(drillLogText(terminals(1)))).toMatchObject({
    terminals: [{ device_id: 'FACE-T1_B0', state: 'parked', sent_at: when.begunAt + 3, confirmed_at: null }],
    unlisted: 7,
  });
});

test('of the line it says the figures of each device, those that a result does not name among the others', () => {
  const result: LineResult = {
    ...{ kind: 'line', id: 'b', ...when, restoredAt: when.endedAt - 1, outcome: 'passed', waiting: 0, unlisted: 3 },
    devices: [{ deviceId: 'FACE-T1_A0001', said: 2, stored: 2, confirmed: 2 }],
  };
  expect(JSON.parse(drillLogText(result))).toEqual({
    ...{ ...head, kind: 'line', id: 'b', outcome: 'passed', restored_at: when.endedAt - 1, waiting: 0, unlisted: 3 },
    devices: [{ device_id: 'FACE-T1_A0001', said: 2, stored: 2, confirmed: 2 }],
  });
});

test('of the card it says its name and serial number, and what each cut has lost', () => {
  const result: CardResult = {
    ...{ kind: 'card', id: 'c', ...when, outcome: 'failed', why: 'x'.repeat(9000), allows: null },
    device: { device: 'mmcblk0', name: 'SC64G', serial: '0x1', cid: 'ff', bytes: 64e9 },
    cuts: [{ cut: 1, seen: 312, found: 300, missing: 12, firstMissing: 301 }],
    speed: { syncP50Ms: 3, syncP99Ms: 9, syncsPerSecond: 300, megabytesPerSecond: 20 },
  };
  const text = drillLogText(result);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.logBytesMax);
  expect(JSON.parse(text)).toMatchObject({
    ...{ ...head, kind: 'card', card: { name: 'SC64G', serial: '0x1' }, speed: { syncs_per_second: 300 } },
    cuts: [{ cut: 1, missing: 12, first_missing: 301 }],
  });
});
