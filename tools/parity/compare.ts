/** One value that box and cloud give differently; undefined: it is not there. */
export interface FieldDifference {
  /** Path of the field, such as `data.rows[3].name`. */
  readonly field: string;
  readonly box: unknown;
  readonly cloud: unknown;
}

/** A field whose value differs between a box and its cloud by its nature. */
export interface ExpectedDifference {
  readonly api: string;
  /** Of the whole path; indexes are written `[]`. */
  readonly field: RegExp;
  readonly name: string;
  readonly why: string;
}

/** Whether two values of a field may differ. */
export type MayDiffer = (field: string, box: unknown, cloud: unknown) => boolean;

const listedMax = 20;

/**
 * Field by field, at most twenty. Of an expected difference only the type is compared. Keys that
 * one side alone has are differences, `undefined` on the other.
 */
export function differencesOf(box: unknown, cloud: unknown, mayDiffer: MayDiffer, field = ''): FieldDifference[] {
  const found: FieldDifference[] = [];
  walk(box, cloud, field);
  return found;

  function walk(one: unknown, other: unknown, at: string): void {
    if (found.length >= listedMax || Object.is(one, other)) return;
    if (isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other)) {
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
        walk(one[key], other[key], Array.isArray(one) ? `${at}[${key}]` : at === '' ? key : `${at}.${key}`);
      return;
    }
    if (mayDiffer(at.replace(/\[\d+\]/g, '[]'), one, other)) return;
    found.push({ field: at, box: one, cloud: other });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
