import type { DateText } from '../../platform/shifts.ts';
import type { SiteDay, SiteSchedule, SiteShift } from '../../platform/site-plans.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { StorePart } from '../domain.ts';
import type { ProductAccess, ProductRegistration } from '../port/directory.ts';
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
 * The content of a site file (CONTRACT section 3). Every section is optional: an absent one is left
 * alone, also by prune.
 */
export interface SiteData {
  readonly products?: readonly SiteProduct[];
  readonly devices?: readonly {
    device_id: string;
    name?: string;
    access_key?: string;
    blocked?: boolean;
    people_data?: boolean;
  }[];
  readonly apps?: readonly { app_id: string; app_key: string; name?: string }[];
  /** `devices`: those assigned to the box; if absent, its assignments do not change. */
  readonly boxes?: readonly { box_id: string; name?: string; devices?: readonly string[] }[];
  readonly attendance_callers?: readonly { app_key: string; app_secret: string; name?: string }[];
  readonly oauth_clients?: readonly {
    client_id: string;
    /** Only for a client that is not public. */
    client_secret?: string;
    /** An app that cannot keep a secret: it has none, and must use PKCE. */
    public?: boolean;
    name?: string;
    logo_url?: string;
    redirect_uris: readonly string[];
    /** Its token call has to repeat the redirect_uri (RFC 6749 4.1.3). */
    needs_redirect_uri?: boolean;
  }[];
  /** `password` is hashed before it comes here. */
  readonly users?: readonly {
    name: string;
    password_hash?: string;
    /** `none`: can only sign in to applications. */
    role: 'admin' | 'staff' | 'viewer' | 'none';
    headimgurl?: string;
  }[];
  readonly departments?: readonly {
    ext_id: string;
    name: string;
    p_ext_id?: string;
    /** The first date under that parent. */
    parent_since?: string;
  }[];
  readonly employees?: readonly {
    ext_id: string;
    name: string;
    mobile?: string;
    employee_num?: string;
    department: { ext_id: string; title?: string };
    /** The first date in that department. */
    department_since?: string;
    /** First and last day of the last stint, both inclusive; empty: none. */
    from?: string;
    to?: string;
    /** The stints before it, in order; absent: left alone. */
    earlier?: readonly { from?: string; to?: string }[];
  }[];
  /** Each version of a shift. */
  readonly shifts?: readonly SiteShift[];
  readonly schedules?: readonly SiteSchedule[];
  readonly calendar?: readonly SiteDay[];
  readonly app_upgrades?: readonly {
    app_code: string;
    version: string;
    url: string;
    checksum?: string;
    size?: number;
    min_platform_version?: number;
    max_platform_version?: number;
    description?: string;
    upgrade_type?: 'normal' | 'force' | 'explicit';
  }[];
  readonly message_templates?: readonly { template: string; title?: string; body: string }[];
}

export interface SiteProduct extends Partial<ProductRegistration> {
  product_id: string;
  product_key: string;
  other_environment_key?: string;
  name?: string;
  icon?: string;
  introduction?: string;
  model?: string;
  access?: ProductAccess;
  face_features?: boolean;
  pass_features?: boolean;
}

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
