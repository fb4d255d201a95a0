import type { RegionFolders } from './region.ts';

/** Backups of the database of a region with pgBackRest, for any place. */

/** `/etc/pgbackrest.conf`. `repository`: what every machine of the database reaches. */
export const pgbackrestFile = (
  repository: string,
  { database, socket }: Pick<RegionFolders, 'database' | 'socket'>,
): string => `[global]
repo1-path=${repository}
repo1-retention-full=4
start-fast=y
# PostgreSQL waits for a minute after it could not archive, as before the first backup.
archive-timeout=180
log-level-console=warn
[gatehouse]
pg1-path=${database}
pg1-socket-path=${socket}
`;

/** Settings of PostgreSQL. What was committed is in the repository after a minute at most. */
export const archiving = {
  archive_mode: 'on',
  archive_command: 'pgbackrest --stanza=gatehouse archive-push %p',
  archive_timeout: '60',
} as const;

/** Only the machine that is the primary then backs up; the first time it prepares the share. */
export const backupService = `[Unit]
Description=Backup of the database of the region (%i)
[Service]
Type=oneshot
User=postgres
ExecCondition=/bin/sh -c 'psql -Atc "SELECT pg_is_in_recovery()" | grep -qx f'
ExecStartPre=/usr/bin/pgbackrest --stanza=gatehouse stanza-create
ExecStart=/usr/bin/pgbackrest --stanza=gatehouse --type=%i backup
`;

export const backupTimer = (when: string): string => `[Timer]
OnCalendar=${when}
[Install]
WantedBy=timers.target
`;
