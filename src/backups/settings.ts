import type { Config } from '../config/index.ts';

/**
 * Settings of a site: in the config under `backups`, or on the page for keys that the config omits.
 */
export type BackupSettings = Config['backups'];

/** How many of each stay at a target. */
export type Keep = Required<Record<keyof NonNullable<BackupSettings['keep']>, number>>;

export type SftpSettings = NonNullable<BackupSettings['sftp']>;

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
