import type { CardResult, DrillResult, LineResult, TerminalsResult } from './drill.ts';
import { limits } from './limits.ts';

/** Of a sentence of the system or of the cloud: the record has to stay small. */
const whyMax = 200;

/**
 * The result of a drill as a log record of the box (SPEC 2.6), in at most 4096 bytes of JSON. Of
 * devices and terminals it names as many as fit, what is wrong or missing first, and says how many
 * more there are.
 */
export function drillLogText(result: DrillResult): string {
  const { kind, id, begunAt, endedAt, outcome } = result;
  const head = { event: 'drill', kind, id, outcome, begun_at: begunAt, ended_at: endedAt };
  switch (result.kind) {
    case 'card':
      return JSON.stringify({ ...head, ...cardFacts(result) });
    case 'line':
      return fitted({ ...head, restored_at: result.restoredAt, waiting: result.waiting }, 'devices', lineRows(result), {
        more: result.unlisted,
      });
    case 'terminals': {
      const { known, done, punched, hasCloud, terminals } = result;
      return fitted({ ...head, has_cloud: hasCloud, known, done, punched }, 'terminals', terminalRows(result), {
        more: known - terminals.length,
      });
    }
  }
}

const cardFacts = ({ why, device, cuts, speed }: CardResult) => ({
  why: why.slice(0, whyMax),
  card: { device: device.device, name: device.name, serial: device.serial, cid: device.cid, bytes: device.bytes },
  cuts: cuts.map(({ cut, seen, found, missing, firstMissing }) => ({
    ...{ cut, seen, found, missing, first_missing: firstMissing },
  })),
  speed: speed && {
    ...{ sync_p50_ms: speed.syncP50Ms, sync_p99_ms: speed.syncP99Ms, syncs_per_second: speed.syncsPerSecond },
    megabytes_per_second: speed.megabytesPerSecond,
  },
});

const lineRows = ({ devices }: LineResult): object[] =>
  devices.map(({ deviceId, said, stored, confirmed }) => ({ device_id: deviceId, said, stored, confirmed }));

const terminalRows = ({ terminals }: TerminalsResult): object[] =>
  terminals.map(({ deviceId, state, why, ...at }) => ({
    ...{ device_id: deviceId, state, ...(why === '' ? {} : { why: why.slice(0, whyMax) }) },
    ...{ punched_at: at.punchedAt, received_at: at.receivedAt, stored_at: at.storedAt },
    ...{ sent_at: at.sentAt, confirmed_at: at.confirmedAt },
  }));

/** `head` and as many of `rows` as fit; the others are added to `more`. */
function fitted(head: object, name: string, rows: readonly object[], { more }: { more: number }): string {
  const written = (count: number) =>
    JSON.stringify({ ...head, [name]: rows.slice(0, count), unlisted: more + rows.length - count });
  let fit = 0;
  let room = limits.logBytesMax - Buffer.byteLength(written(0)) - String(more + rows.length).length;
  for (const row of rows) {
    room -= Buffer.byteLength(JSON.stringify(row)) + 1;
    if (room < 0) break;
    fit++;
  }
  return written(fit);
}
