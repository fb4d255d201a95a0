import type { SiteFile } from '../../config/index.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { DeepReadonly } from '../../runtime/deep-readonly.ts';
import type { StorePart } from '../domain.ts';
import type { Connection } from '../schema/database.ts';

export interface SiteChange {
  readonly action: 'add' | 'change' | 'remove';
  /** Section of the site file, such as `products`. */
  readonly section: string;
  readonly key: string;
  /** Names of the fields that differ; never their values. */
  readonly fields: readonly string[];
}

/**
 * The content of a site file (CONTRACT section 3), its passwords hashed. Every section is optional:
 * an absent one is left alone, also by prune.
 */
export type SiteData = {
  readonly [Name in keyof SiteFile]?: readonly Omit<DeepReadonly<NonNullable<SiteFile[Name]>[number]>, 'password'>[];
};

/** The date of a move in the file: section, index, field. */
export type MovePath = [section: 'departments' | 'employees', index: number, field: string];

export interface SiteWrites {
  /**
   * Upserts what a site file lists; with `prune`, removes what it does not. Returns the plan it
   * carried out, or with `dryRun` would carry out. `last_admin`: nothing was written, since it
   * takes the role of the last admin, or removes the person. `notYet`: nor was it, since these
   * moves lie after the site's date.
   */
  applySite(input: {
    site: SiteData;
    prune: boolean;
    dryRun: boolean;
    at: UnixMs;
  }): SiteChange[] | 'last_admin' | { readonly notYet: readonly MovePath[] };
}

export interface SiteReads {
  /** Data of `export --what site`; secrets only with `withSecrets`. */
  site(options: { withSecrets: boolean }): Promise<SiteData>;
}

export type SiteStore = StorePart<SiteReads, SiteWrites>;

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
