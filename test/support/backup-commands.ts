/** Commands of docs/region-backups.md, as the user postgres. */
export const backupCommands = {
  prepare: 'pgbackrest --stanza=gatehouse stanza-create',
  check: 'pgbackrest --stanza=gatehouse check',
  full: 'pgbackrest --stanza=gatehouse --type=full backup',
  incremental: 'pgbackrest --stanza=gatehouse --type=incr backup',
} as const;

/** `moment`: with its time zone, as `2026-11-25 21:00:00+00`. On a server that is stopped. */
export const restoreCommand = (moment: string): string =>
  `pgbackrest --stanza=gatehouse --delta --type=time --target='${moment}' --target-action=promote restore`;
