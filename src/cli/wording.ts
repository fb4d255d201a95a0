import { onOneLine } from './printable.ts';

export { momentText as moment } from '../runtime/wall-time.ts';

/** Numbers and times in the form that people read. */

export function ago(at: number, now: number): string {
  const ms = now - at;
  if (ms < 0) return `in ${span(-ms)}`;
  return ms < 1000 ? 'just now' : `${span(ms)} ago`;
}

/** `12 s`, `3 min`, `2 h 5 min`, `4 d 3 h`. */
export function span(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

export function bytes(count: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/**
 * `1,234,567`, with at most three decimals, as `toLocaleString('en-US')` writes it: the first call
 * of that takes 9 ms, a tenth of a command.
 */
export function number(value: number): string {
  const [whole, part] = String(Math.round(value * 1000) / 1000).split('.');
  const grouped = whole!.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return part === undefined ? grouped : `${grouped}.${part}`;
}

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

/** A table with headings, columns as wide as needed, two spaces between them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = rows.map(row => row.map(onOneLine));
  const widths = head.map((title, column) => Math.max(title.length, ...shown.map(row => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd();
  return [head, ...shown].map(row => `${line(row)}\n`).join('');
}
