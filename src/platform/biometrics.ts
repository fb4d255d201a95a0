import { foldedNumber } from './folded-number.ts';
import { isBiometric } from './reports.ts';

type Data = Readonly<Record<string, unknown>>;

/** As in reports.ts: a longer ext id names nobody, and no report has more records. */
const extIdMax = 32;
const recordsMax = 5000;

const nobody: ReadonlySet<string> = new Set();

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The ext id in this field, a number as text; empty for none. */
function extIdIn(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  const extId = typeof text === 'string' ? foldedNumber(text) : '';
  return extId.length <= extIdMax ? extId : '';
}

const holdsFeature = ({ values, feature_type }: Data): boolean =>
  Array.isArray(values) && values.length > 0 && isBiometric(feature_type);

const holdsPicture = (record: unknown): record is Data =>
  isData(record) && record.capture_img !== undefined && record.capture_img !== null && record.capture_img !== '';

/**
 * Whose features or pictures the data of a device message holds: of a feature report (not of a card
 * or an identity number) the person, of an access report everybody whose photo it holds. Goes by
 * the fields and not by the action, whose code a site may change, and reads what the checks of a
 * report refuse.
 */
export function holdersOf(data: Data): ReadonlySet<string> {
  if (holdsFeature(data)) {
    const extId = extIdIn(data.ext_id);
    return extId === '' ? nobody : new Set([extId]);
  }
  if (!Array.isArray(data.records)) return nobody;
  let holders: Set<string> | undefined;
  for (const record of data.records.slice(0, recordsMax)) {
    if (!holdsPicture(record)) continue;
    const extId = extIdIn(record.ext_id);
    if (extId === '') continue;
    holders ??= new Set();
    holders.add(extId);
  }
  return holders ?? nobody;
}

/**
 * The message without the features and pictures of these people: a feature report keeps its
 * envelope and an empty `data`, an access report everything but their photos. `message`: as it was
 * parsed.
 */
export function withoutBiometrics(message: Data, of: ReadonlySet<string>): Buffer {
  const data = message.data as Data;
  const { mid, from, to, time, action } = message;
  if (holdsFeature(data)) return Buffer.from(JSON.stringify({ mid, from, to, time, action, data: {} }));
  const records = (data.records as readonly unknown[]).map(record => {
    if (!holdsPicture(record) || !of.has(extIdIn(record.ext_id))) return record;
    const { capture_img: _, ...rest } = record;
    return rest;
  });
  return Buffer.from(JSON.stringify({ ...message, data: { ...data, records } }));
}
