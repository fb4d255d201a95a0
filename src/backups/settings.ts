/**
 * Settings of a site: in the config under `backups`, or on the page for keys that the config omits.
 */
export interface BackupSettings {
  /** Wall times of the site, such as `02:30`. */
  readonly times?: readonly string[] | undefined;
  /** Days of the week, Monday is 1; absent: all. */
  readonly days?: readonly number[] | undefined;
  readonly keep?: { readonly [Key in keyof Keep]?: Keep[Key] | undefined } | undefined;
  /** With the files of the public services. */
  readonly with_files?: boolean | undefined;
  readonly directory?: DirectorySettings | undefined;
  /** The folder at which the system mounts it. */
  readonly stick?: DirectorySettings | undefined;
  readonly smb?: DirectorySettings | undefined;
  readonly sftp?: SftpSettings | undefined;
  /** The box above in a chain. */
  readonly above?: Readonly<Record<string, never>> | undefined;
}

/** How many of each stay at a target. */
export interface Keep {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

interface DirectorySettings {
  readonly path: string;
}

export interface SftpSettings {
  /** A name or an address. */
  readonly host: string;
  /** By default 22. */
  readonly port?: number | undefined;
  readonly user: string;
  /** From the root, or from where the login of the user begins. */
  readonly folder: string;
  /** Type and base64. Absent: the one that was confirmed on the page. */
  readonly host_key?: string | undefined;
}

/** Where backups go. Each name is a key under `backups` in the config. */
const targetNames = ['directory', 'stick', 'smb', 'sftp', 'above'] as const;
export type TargetName = (typeof targetNames)[number];

const timesByDefault: readonly string[] = ['02:30'];
const daysByDefault: readonly number[] = [1, 2, 3, 4, 5, 6, 7];
const keepByDefault: Keep = { daily: 7, weekly: 4, monthly: 12 };

/** The settings in force: what `fixed` says stands, the rest is as it was `chosen` on the page. */
export const inForce = (fixed: BackupSettings, chosen: BackupSettings): BackupSettings => ({
  ...chosen,
  ...definedIn(fixed),
  keep: { ...chosen.keep, ...definedIn(fixed.keep ?? {}) },
});

const definedIn = <T extends object>(some: T): Partial<T> =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as Partial<T>;

export const targetsIn = (settings: BackupSettings): TargetName[] =>
  targetNames.filter(name => settings[name] !== undefined);

export interface Schedule {
  readonly times: readonly string[];
  readonly days: readonly number[];
}

export const scheduleOf = ({ times, days }: BackupSettings): Schedule => ({
  times: times?.length ? times : timesByDefault,
  days: days?.length ? days : daysByDefault,
});

export const keepOf = ({ keep = {} }: BackupSettings): Keep => ({ ...keepByDefault, ...definedIn(keep) });
