import { atMostCharacters } from '../../platform/attendance.ts';
import { foldedNumber, hasDirectionControl } from '../../platform/folded-number.ts';
import { listErrors } from '../../words/lists.ts';
import type { Reason } from '../../words/sentences.ts';
import { type ColumnChoice, columnsOf, placesIn } from './columns.ts';
import { dateIn } from './date-in.ts';
import type { Field } from './field.ts';
import {
  type FileColumn,
  type ImportProblem,
  isBlank,
  type Sheet,
  type Table,
  type TableRow,
  withoutEnd,
} from './table.ts';

/** One entry of the site, with the row of the file that it comes from. */
export interface ImportedItem<Item = object> {
  readonly line: number;
  readonly item: Item;
  /** The section of the site file; absent: the list's own. */
  readonly section?: 'schedules' | 'calendar';
  /** The header of the one cell that it comes from; absent: the whole row. */
  readonly cell?: string;
  /** Name of the person in the file, to be compared. */
  readonly name?: string;
  /** The kind of id in the column that names the person; absent: external ids. */
  readonly by?: 'number' | 'id';
}

export interface Imported<Item> {
  readonly items: readonly ImportedItem<Item>[];
  /** Rows that cannot be imported. */
  readonly problems: readonly ImportProblem[];
  /** Possible mistakes, which do not prevent the import. */
  readonly warnings: readonly ImportProblem[];
  /** Every external id that the file names, of wrong rows too. */
  readonly extIds: ReadonlySet<string>;
  /** Absent: the columns cannot be chosen. */
  readonly columns?: readonly FileColumn[];
}

/** Those of people, folded as everywhere. */
const numberKinds: ReadonlySet<Field['kind']> = new Set(['digits', 'id', 'mobile'] as const);

/** Nothing could be read, for one reason. */
const unreadable = <Item>({ ok: _, ...why }: Exclude<Table, Sheet>): Imported<Item> => ({
  items: [],
  problems: [{ column: '', value: '', ...why }],
  warnings: [],
  extIds: new Set(),
});

/** Problem of a row, at one of its columns. */
export interface RowReason<Name extends string> extends Reason {
  readonly name: Name;
}

interface Reading<Name extends string, Item> {
  make(values: Record<Name, string>): Item;
  /** The column and value that no two rows may have alike. */
  key(values: Record<Name, string>): { readonly name: NoInfer<Name>; readonly text: string };
  /** Problems of the values of a row together; each by itself is right. `has`: the columns. */
  check?(values: Record<Name, string>, has: ReadonlyMap<Name, number>): Iterable<RowReason<NoInfer<Name>>>;
  /** Columns chosen by hand, of a list that may have any: those of no field are not read. */
  readonly columns?: ColumnChoice;
  /** A file has a column for one of these at least. */
  readonly needsOneOf?: readonly NoInfer<Name>[];
}

/** Reads rows by the names of their columns. Reports every wrong row, not only the first. */
export function readFields<Name extends string, Item>(
  table: Table,
  fields: Readonly<Record<Name, Field>>,
  { make, key, check = () => [], columns, needsOneOf = [] }: Reading<Name, Item>,
): Imported<Item> {
  if (!table.ok) return unreadable(table);
  const names = Object.keys(fields) as Name[];
  const { header, rows } = table;
  const places = placesIn(table, fields, columns);
  const problems: ImportProblem[] = [];
  const used = new Set(places.values());
  if (columns === undefined)
    for (const [place, written] of header.cells.entries()) {
      if (used.has(place) || (isBlank(written) && rows.every(row => isBlank(row.cells[place] ?? '')))) continue;
      problems.push({
        line: header.line,
        column: written,
        value: '',
        ...listErrors.say('unknown_column', {
          columns: names.map(one => [fields[one].names[0], fields[one].names.at(-1)].join(' or ')).join(', '),
        }),
      });
    }
  const missing = names.filter(name => fields[name].needed && !places.has(name));
  if (!needsOneOf.some(name => places.has(name))) missing.push(...needsOneOf.slice(0, 1));
  for (const name of missing)
    problems.push({
      line: header.line,
      column: name,
      value: '',
      ...listErrors.say(columns === undefined ? 'column_missing' : 'no_column'),
    });
  const read = columns && { columns: columnsOf(table, places) };
  if (problems.length > 0) return { items: [], problems, warnings: [], extIds: new Set(), ...read };

  const items: { line: number; item: Item }[] = [];
  const seen = new Map<string, number>();
  const columnOf = (name: Name) => header.cells[places.get(name)!] ?? name;
  for (const row of rows) {
    const found = problemsOf(row);
    problems.push(...found);
    if (found.length > 0) continue;
    items.push({ line: row.line, item: make(valuesOf(row)) });
  }
  const warnings = [...zerosLost(), ...shortRows(), ...cutText()];
  return { items, problems, warnings, extIds: new Set(seen.keys()), ...read };

  function* cutText(): Generator<ImportProblem> {
    for (const [name, place] of places) {
      const { isCut = false, max } = fields[name];
      const long = isCut ? rows.filter(row => !atMostCharacters(cellOf(row, place), max)) : [];
      const first = long[0];
      if (first)
        yield {
          ...{ line: first.line, column: columnOf(name), value: cellOf(first, place) },
          ...listErrors.say('is_cut', { count: long.length, max }),
        };
    }
  }

  function* zerosLost(): Generator<ImportProblem> {
    for (const [name, place] of places)
      if ((fields[name] as Field).kind === 'digits') yield* lostZeros(rows, place, columnOf(name));
  }

  /** Excel leaves out the separators of empty cells at the end; a workbook always does. */
  function* shortRows(): Generator<ImportProblem> {
    if (table.ok && table.isWorkbook) return;
    const short = rows.filter(row => row.cells.length < header.cells.length);
    const first = short[0];
    if (first)
      yield {
        ...{ line: first.line, column: '', value: '' },
        ...listErrors.say('short_rows', { count: short.length }),
      };
  }

  function writtenIn(row: TableRow, name: Name): string {
    const value = cellOf(row, places.get(name));
    return numberKinds.has((fields[name] as Field).kind) ? foldedNumber(value) : value;
  }

  function valuesOf(row: TableRow): Record<Name, string> {
    return Object.fromEntries(names.map(name => [name, normal(fields[name], writtenIn(row, name))])) as Record<
      Name,
      string
    >;
  }

  function problemsOf(row: TableRow): ImportProblem[] {
    const { length } = withoutEnd(row.cells);
    if (length > header.cells.length)
      return [
        {
          line: row.line,
          column: '',
          value: '',
          ...listErrors.say('too_many_cells', { cells: length, header: header.cells.length }),
        },
      ];
    const wrong: ImportProblem[] = [];
    for (const [name] of places) {
      const value = writtenIn(row, name);
      const isConverted = (fields[name] as Field).kind === 'digits' && row.converted?.includes(places.get(name)!);
      const why = isConverted ? listErrors.say('made_otherwise') : valueProblem(fields[name], value);
      if (why !== null) wrong.push({ line: row.line, column: columnOf(name), value, ...why });
    }
    const values = valuesOf(row);
    const { name: keyName, text } = key(values);
    const first = seen.get(text);
    if (first !== undefined && text !== '')
      wrong.push({
        line: row.line,
        column: columnOf(keyName),
        value: values[keyName],
        ...listErrors.say('row_twice', { line: first }),
      });
    else seen.set(text, row.line);
    if (wrong.length === 0)
      for (const { name, ...why } of check(values, places))
        wrong.push({ line: row.line, column: columnOf(name), value: values[name], ...why });
    return wrong;
  }
}

/** One warning for a column of digits that the sheet holds as numbers, at most. */
export function* lostZeros(rows: readonly TableRow[], place: number, column: string): Generator<ImportProblem> {
  const held = rows.filter(({ numbers }) => numbers?.includes(place));
  const first = held[0];
  if (first)
    yield {
      ...{ line: first.line, column, value: first.cells[place] ?? '' },
      ...listErrors.say('numbers_lose_zeros', { count: held.length }),
    };
}

const formulaError = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/;

/** Problem of one value and its remedy; null if there is none. */
function valueProblem({ needed, max, kind, isCut = false }: Field, value: string): Reason | null {
  if (value === '') return needed ? listErrors.say('cell_is_empty') : null;
  if (formulaError.test(value)) return listErrors.say('formula_failed');
  if (hasDirectionControl(value)) return listErrors.say('turns_direction');
  if (!isCut && !atMostCharacters(value, max)) return listErrors.say('too_many_characters', { max });
  if (kind === 'date' && dateIn(value) === null) return listErrors.say('no_date');
  if (kind === 'minutes' && !/^\d{1,4}$/.test(value)) return listErrors.say('no_minutes');
  if (kind === 'time' && timeIn(value) === null) return listErrors.say('no_time');
  if (kind === 'mobile' && value.includes('*')) return listErrors.say('number_masked');
  return null;
}

/**
 * Without what exports put around text that looks like a number or a formula: a TAB or an
 * apostrophe in front here, `="001"` elsewhere.
 */
export function cellOf(row: TableRow, place: number | undefined): string {
  if (place === undefined) return '';
  return (row.cells[place] ?? '')
    .trim()
    .replace(/^="([^"]*)"$/, '$1')
    .replace(/^'(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/, '');
}

function normal({ kind, isCut = false, max }: Field, value: string): string {
  if (isCut) return [...value].slice(0, max).join('').trim();
  return kind === 'time' ? (timeIn(value) ?? value) : value;
}

/** `9:00`, `09:00:00`, `\uff1a` for the colon, or the part of a day that a sheet holds. */
function timeIn(text: string): string | null {
  const part = /^0?\.\d+$|^0$/.test(text) ? Math.round(Number(text) * 1440) : null;
  const found = /^(\d{1,2})[:\uff1a](\d{2})(?:[:\uff1a]00)?$/.exec(text);
  if (part === null && !found) return null;
  const [hour, minute] = part === null ? [Number(found![1]), Number(found![2])] : [Math.floor(part / 60), part % 60];
  if (hour > 47 || minute > 59) return null;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
