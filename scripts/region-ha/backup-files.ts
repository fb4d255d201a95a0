/**
 * Backups of the database of a region with pgBackRest: its file and its commands, for any place.
 * `docs/region.md` shows what these return for three machines.
 */

interface BackedUpDatabase {
  /** Where backups and the log are kept: every machine of the database reaches it. */
  readonly repository: string;
  readonly dataDir: string;
  readonly socketDir: string;
}

/** `/etc/pgbackrest.conf` */
export const pgbackrestFile = ({ repository, dataDir, socketDir }: BackedUpDatabase): string => `[global]
repo1-path=${repository}
repo1-retention-full=4
start-fast=y
log-level-console=warn
[gatehouse]
pg1-path=${dataDir}
pg1-socket-path=${socketDir}
`;

/** Settings of PostgreSQL. What was committed is in the repository after a minute at most. */
export const archiving = {
  archive_mode: 'on',
  archive_command: 'pgbackrest --stanza=gatehouse archive-push %p',
  archive_timeout: '60',
} as const;

/** As the user postgres. */
export const backupCommands = {
  prepare: 'pgbackrest --stanza=gatehouse stanza-create',
  check: 'pgbackrest --stanza=gatehouse check',
  full: 'pgbackrest --stanza=gatehouse --type=full backup',
  incremental: 'pgbackrest --stanza=gatehouse --type=incr backup',
} as const;

/** `moment`: with its time zone, as `2026-11-25 21:00:00+00`. On a server that is stopped. */
export const restoreCommand = (moment: string): string =>
  `pgbackrest --stanza=gatehouse --delta --type=time --target='${moment}' --target-action=promote restore`;
