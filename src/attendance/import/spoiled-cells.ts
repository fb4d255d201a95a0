import { listErrors } from '../../words/lists.ts';
import { columnName, type ImportProblem, isBlank, type Sheet } from './table.ts';

/** Not decoded, of nobody's alphabet, or a control. */
const spoiled = /[\ufffd\ue000-\uf8ff\u{f0000}-\u{10ffff}]|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/u;
/** A sheet keeps 15 digits of a number, and writes longer ones with an exponent. */
const tooLong = /^-?\d{16,}$|e\+/i;

/** Cells that are not what somebody wrote, each with its row and column; of the header too. */
function* spoiledOf({ header, rows }: Sheet, isRead: (place: number) => boolean): Generator<ImportProblem> {
  for (const { line, cells, numbers = [] } of [header, ...rows])
    for (const [at, cell] of cells.entries()) {
      if (!isRead(at)) continue;
      const column = line === header.line ? '' : (header.cells[at] ?? '');
      const found = spoiled.exec(cell)?.[0];
      if (found !== undefined) {
        const code = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
        yield { line, column, value: cell, ...listErrors.say('strange_character', { character: `U+${code}` }) };
      } else if (numbers.includes(at) && tooLong.test(cell))
        yield { line, column, value: cell, ...listErrors.say('too_many_digits') };
    }
}
export const spoiledCells = (sheet: Sheet, isRead: (place: number) => boolean): ImportProblem[] => [
  ...spoiledOf(sheet, isRead),
];

const samplesMax = 5;
const nameColumns: ReadonlySet<string> = new Set(['name', '姓名', '名称', '部门名称', '班次名称']);

/** Some cells beyond ASCII by which an encoding can be judged, names first. */
export function samplesOf({ header, rows }: Sheet): string[] {
  const names = header.cells.findIndex(cell => nameColumns.has(columnName(cell)));
  const samples = new Set<string>();
  const take = (cell: string | undefined): void => {
    if (cell !== undefined && samples.size < samplesMax && !isBlank(cell) && /[^\0-\x7f]/.test(cell))
      samples.add(cell.trim().slice(0, 40));
  };
  for (const { cells } of rows) if (samples.size < samplesMax) take(cells[names]);
  for (const { cells } of rows) if (samples.size < samplesMax) cells.forEach(take);
  if (samples.size === 0) header.cells.forEach(take);
  return [...samples];
}
