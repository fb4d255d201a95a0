import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { Connection } from '../schema/database.ts';
import type { SiteData } from './data.ts';

export type Item = Record<string, unknown>;

/** A file as it is applied: the moment, the site's date then, and the item as the file says it. */
interface Applied {
  readonly at: UnixMs;
  readonly today: DateText;
  readonly said: Item;
}

/** One section of the site file: how its items are stored. Items have the file's own fields. */
export interface Section {
  readonly name: keyof SiteData;
  readonly secrets: readonly string[];
  /** The values of a new item for fields that the file leaves out. */
  readonly defaults: Item;
  key(item: Item): string;
  read(connection: Connection): Item[];
  /** `item` is complete: the stored values, overridden by those of the file. */
  write(connection: Connection, item: Item, applied: Applied): void;
  remove(connection: Connection, key: string): void;
  /** An item of a file where its meaning depends on what is stored, with all that it then says. */
  after?(item: Item, before: Item): Item;
  /** An item of a file in the form that `read` returns, where two spellings mean the same. */
  compared?(item: Item): Item;
  /** The order in which items of a file are written beside those that are present. */
  inOrder?(items: readonly Item[], present: readonly Item[]): readonly Item[];
  /** The form for a file, if it differs from the form in which items are compared. */
  forFile?(items: Item[]): Item[];
}

export const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

export const optional = (value: unknown): Item | undefined =>
  value === null || value === '' ? undefined : (value as Item);

/** Leaves out keys with empty values. */
export const withoutEmpty = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => optional(value) !== undefined));
