import type { Connection } from '../schema/database.ts';
import type { SiteData } from './data.ts';

export type Item = Record<string, unknown>;

/** One section of the site file: how its items are stored. Items have the file's own fields. */
export interface Section {
  readonly name: keyof SiteData;
  readonly secrets: readonly string[];
  /** The values of a new item for fields that the file leaves out. */
  readonly defaults: Item;
  key(item: Item): string;
  read(connection: Connection): Item[];
  /** `item` is complete: the stored values, overridden by those of the file. */
  write(connection: Connection, item: Item, at: number): void;
  remove(connection: Connection, key: string): void;
  /** An item of a file in the form that `read` returns, where two spellings mean the same. */
  compared?(item: Item): Item;
  /** The form for a file, if it differs from the form in which items are compared. */
  forFile?(items: Item[]): Item[];
}

export const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

export const optional = (value: unknown): Item | undefined =>
  value === null || value === '' ? undefined : (value as Item);

/** Leaves out keys with empty values. */
export const withoutEmpty = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => optional(value) !== undefined));
