import type { Coded, Params } from '../words/sentences.ts';
import { ok, type Parsed, refuse } from './parsed.ts';

/**
 * Report of a box to the box or region above (docs/line.md): a part of its own `status`, in the
 * same words. Times are milliseconds since 1970 by its own clock. Null if it did not report the
 * field.
 */
export interface BoxReport {
  /** When it was written. */
  readonly at: number;
  readonly version: string;
  readonly environment: string | null;
  readonly outbox: {
    readonly waiting: number;
    readonly oldest_at: number | null;
    readonly parked: number;
  } | null;
  readonly disk: {
    /** `ok`, or why nothing is acknowledged there. */
    readonly state: string;
    readonly used_bytes: number;
    readonly free_bytes: number;
    /** Whether the disk is nearly full, by the box's own measure. */
    readonly low: boolean;
  } | null;
  /** State of its clock; null if its system does not tell. */
  readonly clock_synchronized: boolean | null;
  readonly update: {
    /** Bundles that were found there and could be installed. */
    readonly found: number;
    /** Of the last update (src/updates/port.ts); empty: there was none. */
    readonly outcome: string;
    readonly to: string;
    readonly why: string;
    /** Of the reason, where it is a sentence of the box. */
    readonly code?: string | undefined;
    readonly params?: Params | undefined;
  } | null;
  readonly devices: { readonly known: number; readonly online: number; readonly refused: number } | null;
}

/** Of the body. A report as it is written has 500. */
export const boxReportBytesMax = 4096;
const wordCharactersMax = 64;
const sentenceCharactersMax = 300;
const paramsMax = 8;
const environments = ['test', 'production'];

class Misfit extends Error {}

/**
 * Reads a report that came over the network. What this program does not know is left out, so that a
 * newer box may say more; what is missing is null. Texts are cut, and lose control characters.
 * Refuses what is no JSON object, or a value of the wrong kind, by its name.
 */
export function parseBoxReport(text: string): Parsed<BoxReport> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('malformed', 'not JSON');
  }
  try {
    return ok(reportOf(objectOf(value, 'the body')));
  } catch (error) {
    if (error instanceof Misfit) return refuse('bad_data', error.message);
    throw error;
  }
}

function reportOf(said: Fields): BoxReport {
  const outbox = partOf(said.outbox, 'outbox');
  const disk = partOf(said.disk, 'disk');
  const update = partOf(said.update, 'update');
  const devices = partOf(said.devices, 'devices');
  return {
    at: countOf(said.at, 'at'),
    version: textOf(said.version, 'version', wordCharactersMax),
    environment: environments.find(one => one === said.environment) ?? null,
    outbox: outbox && {
      waiting: countOf(outbox.waiting, 'outbox.waiting'),
      oldest_at: (outbox.oldest_at ?? null) === null ? null : countOf(outbox.oldest_at, 'outbox.oldest_at'),
      parked: countOf(outbox.parked, 'outbox.parked'),
    },
    disk: disk && {
      state: textOf(disk.state, 'disk.state', wordCharactersMax),
      used_bytes: countOf(disk.used_bytes, 'disk.used_bytes'),
      free_bytes: countOf(disk.free_bytes, 'disk.free_bytes'),
      low: disk.low === true,
    },
    clock_synchronized: typeof said.clock_synchronized === 'boolean' ? said.clock_synchronized : null,
    update: update && {
      found: countOf(update.found, 'update.found'),
      outcome: textOf(update.outcome, 'update.outcome', wordCharactersMax),
      to: textOf(update.to, 'update.to', wordCharactersMax),
      why: textOf(update.why, 'update.why', sentenceCharactersMax),
      ...(update.code === undefined ? {} : codedOf(update)),
    },
    devices: devices && {
      known: countOf(devices.known, 'devices.known'),
      online: countOf(devices.online, 'devices.online'),
      refused: countOf(devices.refused, 'devices.refused'),
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function objectOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Misfit(`${name}: must be an object`);
  return value as Fields;
}

/** Code of a sentence, with values that are texts or numbers. */
const codedOf = ({ code, params }: Fields): Coded => ({
  code: textOf(code, 'update.code', wordCharactersMax),
  params: Object.fromEntries(
    Object.entries(objectOf(params ?? {}, 'update.params'))
      .slice(0, paramsMax)
      .map(([name, value]) => [name, typeof value === 'number' ? value : textOf(value, name, wordCharactersMax)]),
  ),
});

const partOf = (value: unknown, name: string): Fields | null =>
  value === undefined || value === null ? null : objectOf(value, name);

function countOf(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Misfit(`${name}: must be a whole number from 0`);
  return value as number;
}

function textOf(value: unknown, name: string, charactersMax: number): string {
  if (typeof value !== 'string') throw new Misfit(`${name}: must be a text`);
  return value.replace(/\p{C}/gu, ' ').slice(0, charactersMax);
}
