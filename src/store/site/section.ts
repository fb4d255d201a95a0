import type { Connection } from '../schema/database.ts';
import type { SiteData } from './data.ts';

export type Item = Record<string, unknown>;

/**
 * One section of the site file: how its items stand in the tables. Items are in the file's own
 * terms.
 */
export interface Section {
  readonly name: keyof SiteData;
  readonly secrets: readonly string[];
  /** What an item that is new has where the file says nothing. */
  readonly defaults: Item;
  key(item: Item): string;
  read(connection: Connection): Item[];
  /** `item` is whole: what the file says over what was there. */
  write(connection: Connection, item: Item, at: number): void;
  remove(connection: Connection, key: string): void;
  /** An item of a file as `read` would say it, where two spellings mean the same. */
  compared?(item: Item): Item;
  /** As a file says it, where that is not how they are compared. */
  forFile?(items: Item[]): Item[];
}

export const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

export const optional = (value: unknown): Item | undefined =>
  value === null || value === '' ? undefined : (value as Item);

/** Keys that hold nothing are not written back. */
export const withoutEmpty = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => optional(value) !== undefined));
