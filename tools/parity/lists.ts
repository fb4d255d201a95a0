import { accessPage, checkInPage, featureCall, listPage } from './calls.ts';
import { differencesOf, type FieldDifference, type MayDiffer } from './compare.ts';
import type { ParityCall, Side } from './side.ts';

/**
 * Lists and records, which box and cloud number on their own: rows are matched by what they are
 * about, and not by their place in a page.
 */

type Row = Record<string, unknown>;

/** How many records of each kind are compared, the oldest first. */
const recordsMax = 20_000;
const rowsMax = 20_000;
const peopleAsked = 20;

interface Listed {
  /** For the report: the call by which the list begins. */
  readonly call: ParityCall;
  /** For the expected differences. */
  readonly about: string;
  readonly read: (side: Side) => Promise<Row[]>;
  /** Rows with the same key are the same; several with one key are matched in their order. */
  readonly key: (row: Row) => string;
}

export const lists: readonly Listed[] = [
  list('/v2.0/department/query', 'departments', row => text(row.department_ext_id) || `id ${text(row.id)}`),
  list('/v2.0/employee/query', 'employees', row => text(row.ext_id) || `id ${text(row.id)}`),
  list('/v2.0/org/device/query', 'org devices', row => text(row.sn).toUpperCase()),
  {
    call: checkInPage(0),
    about: 'check-ins',
    read: side => records(side, checkInPage),
    key: row => [row.ext_id, row.terminal_id, row.check_type, row.check_time].map(text).join(' '),
  },
  {
    call: accessPage(0),
    about: 'access records',
    read: side => records(side, accessPage),
    key: row => [row.ext_id, row.door_id, row.check_type, row.check_time, row.check_result].map(text).join(' '),
  },
  {
    call: featureCall('…', 'fa'),
    about: 'features',
    read: features,
    key: row => `${text(row.ext_id)} ${text(row.feature_type)}`,
  },
];

function list(path: string, about: string, key: Listed['key']): Listed {
  return { call: listPage(path, 0), about, key, read: side => pages(side, path) };
}

export function listDifferences(
  box: readonly Row[],
  cloud: readonly Row[],
  key: Listed['key'],
  mayDiffer: MayDiffer,
): FieldDifference[] {
  const here = Map.groupBy(box, key);
  const there = Map.groupBy(cloud, key);
  const found: FieldDifference[] = [];
  for (const one of new Set([...here.keys(), ...there.keys()])) {
    const [mine, theirs] = [here.get(one) ?? [], there.get(one) ?? []];
    for (let index = 0; index < Math.max(mine.length, theirs.length); index++) {
      const field = `[${one}]`;
      if (!mine[index] || !theirs[index]) found.push({ field, box: mine[index], cloud: theirs[index] });
      else
        found.push(
          ...differencesOf(mine[index], theirs[index], mayDiffer).map(each => ({
            ...each,
            field: `${field}.${each.field}`,
          })),
        );
    }
    if (found.length >= 100) break;
  }
  return found;
}

const text = (value: unknown): string => String(value ?? '');

/** `data` of an answer with code 0. Throws where there is none. */
async function dataOf(side: Side, call: ParityCall): Promise<Row> {
  const { status, body } = await side.ask(call);
  const { code, msg, data } = (body ?? {}) as { code?: number; msg?: string; data?: Row };
  if (code !== 0 || !data) throw new ListRefused(side.name, call, status, code, msg);
  return data;
}

export class ListRefused extends Error {
  readonly side: 'box' | 'cloud';
  readonly call: ParityCall;

  constructor(
    side: 'box' | 'cloud',
    call: ParityCall,
    status: number,
    code: number | undefined,
    msg: string | undefined,
  ) {
    super(code === undefined ? `HTTP ${status} without a code` : `code ${code}: ${msg ?? ''}`);
    this.side = side;
    this.call = call;
  }
}

async function pages(side: Side, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const data = await dataOf(side, listPage(path, rows.length));
    const page = (data.rows ?? []) as Row[];
    rows.push(...page);
    if (page.length === 0 || rows.length >= Math.min(rowsMax, Number(data.total ?? 0))) return rows;
  }
}

async function records(side: Side, page: (nextId: number) => ParityCall): Promise<Row[]> {
  const rows: Row[] = [];
  for (let nextId = 0; rows.length < recordsMax; ) {
    const data = await dataOf(side, page(nextId));
    const more = (data.data ?? []) as Row[];
    if (more.length === 0) break;
    rows.push(...more);
    nextId = Number(data.next_id);
  }
  return rows;
}

async function features(side: Side): Promise<Row[]> {
  const { rows = [] } = (await dataOf(side, listPage('/v2.0/employee/query', 0))) as { rows?: Row[] };
  const found: Row[] = [];
  const named = rows.map(row => text(row.ext_id)).filter(extId => extId !== '');
  for (const extId of named.slice(0, peopleAsked))
    for (const type of ['fa', 'fp']) {
      const data = await dataOf(side, featureCall(extId, type));
      found.push({ ext_id: extId, feature_type: type, features: data.features });
    }
  return found;
}
