/**
 * The one reading of the numbers and ids that people type and programs copy: external ids, employee
 * numbers, mobile and card numbers. For callers, files and terminals alike, so that `１００１`,
 * `1001` with a zero-width space and `1001 ` are the same person.
 */

/** Usual numbers, which need no folding. */
const plain = /^[\x21-\x7e]*$/;
/** Longer ones are refused for their length. */
const foldedMax = 1024;

/**
 * Compatibility forms as usual ones (NFKC: full-width digits and letters), without signs that have
 * no width and blanks around it. May be empty.
 */
export const foldedNumber = (text: string): string =>
  plain.test(text) || text.length > foldedMax
    ? text
    : text
        .normalize('NFKC')
        .replace(/\p{Cf}/gu, '')
        .trim();

const numbers: ReadonlySet<string> = new Set([
  'id',
  'ext_id',
  'employee_ext_id',
  'department_ext_id',
  'p_ext_id',
  'user_ext_id',
  'employee_num',
  'mobile',
]);

/**
 * A JSON value in which every field with such a number is folded; the same value if none was to
 * be.
 */
export function withFoldedNumbers<Value>(value: Value): Value {
  if (Array.isArray(value)) {
    const folded = value.map(withFoldedNumbers);
    return folded.some((one, at) => one !== value[at]) ? (folded as Value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  let isSame = true;
  const folded = Object.entries(value).map(([name, one]) => {
    const next = numbers.has(name) && typeof one === 'string' ? foldedNumber(one) : withFoldedNumbers(one);
    isSame &&= next === one;
    return [name, next] as const;
  });
  return isSame ? value : (Object.fromEntries(folded) as Value);
}

/** Whether a name has such a control (Unicode's property Bidi_Control). */
export const hasDirectionControl = (name: string): boolean => /\p{Bidi_Control}/u.test(name);
