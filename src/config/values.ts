import type { PathStep } from './complaint.ts';

export type Values = Record<string, unknown>;

export const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function take(values: unknown, path: readonly PathStep[]): unknown {
  let value = values;
  for (const step of path) value = typeof value === 'object' && value !== null ? (value as Values)[step] : undefined;
  return value;
}

/** Leaves everything as it is where something on the way is no map: the schema says so. */
export function put(values: Values, path: readonly string[], value: unknown): void {
  let map = values;
  for (const step of path.slice(0, -1)) {
    if (map[step] === undefined) map[step] = {};
    const next = map[step];
    if (!isMap(next)) return;
    map = next;
  }
  map[path.at(-1)!] = value;
}
