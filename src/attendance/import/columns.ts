import type { Field } from './field.ts';
import { bareName, columnName, type FileColumn, isBlank, type Sheet } from './table.ts';

/** Columns chosen by hand, from 1; 0: the file has none for the field. Other fields are guessed. */
export type ColumnChoice = Readonly<Record<string, number>>;

/** As the API and the command write a choice: `employee_num=1,name=3,department=0`. */
export const columnChoicePattern = /^[a-z_]{1,30}=\d{1,3}(,[a-z_]{1,30}=\d{1,3}){0,20}$/;
export const columnChoiceIn = (text: string): ColumnChoice =>
  Object.fromEntries(text.split(',').map(one => [one.split('=')[0]!, Number(one.split('=')[1])]));

/**
 * The place of each field in the rows of a file: as chosen, then by the exact name of a column,
 * then, where any header is allowed (`chosen`), by other headers that mean the field.
 */
export function placesIn<Name extends string>(
  { header }: Sheet,
  fields: Readonly<Record<Name, Field>>,
  chosen?: ColumnChoice,
): Map<Name, number> {
  const names = Object.keys(fields) as Name[];
  const places = new Map<Name, number>();
  for (const name of names) {
    const column = chosen?.[name] ?? 0;
    if (column > 0 && column <= header.cells.length) places.set(name, column - 1);
  }
  const used = new Set(places.values());
  const place = (name: Name, at: number) => {
    places.set(name, at);
    used.add(at);
  };
  const isOpen = (name: Name) => !places.has(name) && chosen?.[name] === undefined;
  for (const [at, written] of header.cells.entries()) {
    if (used.has(at)) continue;
    const name = names.find(one => isOpen(one) && fields[one].names.includes(columnName(written)));
    if (name !== undefined) place(name, at);
  }
  if (chosen === undefined) return places;
  const bare = header.cells.map(bareName);
  for (const name of names) {
    if (!isOpen(name)) continue;
    const { names: exact, guesses = [] }: Field = fields[name];
    for (const guess of [...exact.map(bareName), ...guesses]) {
      const at = bare.findIndex((one, column) => one === guess && !used.has(column));
      if (at < 0) continue;
      place(name, at);
      break;
    }
  }
  return places;
}

const samplesMax = 3;

/** The columns of a file with what they are read as, for somebody to choose otherwise. */
export function columnsOf({ header, rows }: Sheet, places: ReadonlyMap<string, number>): FileColumn[] {
  const fields = new Map([...places].map(([field, at]) => [at, field]));
  return header.cells.map((title, at) => {
    const samples = new Set<string>();
    for (const { cells } of rows) {
      if (samples.size === samplesMax) break;
      if (!isBlank(cells[at] ?? '')) samples.add(cells[at]!.trim().slice(0, 40));
    }
    return { title: title.trim(), field: fields.get(at) ?? null, samples: [...samples] };
  });
}
