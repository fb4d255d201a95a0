import { z } from 'zod';
import { documented, pattern, whole, yesOrNo } from './kinds.ts';

const kept = (what: string, byDefault: number) =>
  documented(whole(1, 400).optional(), `How many ${what} backups stay at each target. By default ${byDefault}`);

const mounted = (what: string, example: string) =>
  documented(
    z
      .strictObject({
        path: documented(
          pattern(/^\/[^\0\n]*$/, 'an absolute path', 1000),
          `Where the system mounts it, such as ${example}. While nothing is mounted there, nothing is written`,
        ),
      })
      .optional(),
    `Backups to ${what} that the system mounts`,
  );

/** The config key `backups`. A target that is written there cannot be changed on the page. */
export const backups = z.strictObject({
  times: documented(
    z
      .array(pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 02:30'))
      .min(1)
      .max(24)
      .optional(),
    'When a backup is made, by the clock of the site. By default 02:30',
    { kind: 'list such as ["02:30", "14:30"]' },
  ),
  days: documented(
    z.array(whole(1, 7)).min(1).max(7).optional(),
    'On which days of the week, 1 is Monday. By default all',
    { kind: 'list such as [1, 2, 3, 4, 5]' },
  ),
  keep: documented(
    z.strictObject({ daily: kept('daily', 7), weekly: kept('weekly', 4), monthly: kept('monthly', 12) }).optional(),
    'How many backups stay; older ones are deleted after a newer one was verified',
  ),
  with_files: documented(
    yesOrNo().optional(),
    'With the files of the public services, which may be large. By default false',
  ),
  directory: documented(
    z
      .strictObject({
        path: documented(
          pattern(/^\/[^\0\n]*$/, 'an absolute path', 1000),
          'The folder, such as that of a disk or a share that the system mounts',
        ),
      })
      .optional(),
    'Backups into a folder of this machine',
  ),
  stick: mounted('a USB stick', '/mnt/gatehouse/stick'),
  smb: mounted('an SMB share', '/mnt/gatehouse/share'),
  above: documented(
    z.strictObject({}).optional(),
    'Backups to the box above in a chain, over the line (upstream.mode batch). It says how many it keeps',
    { kind: '{}' },
  ),
  sftp: documented(
    z
      .strictObject({
        host: documented(
          pattern(/^[A-Za-z0-9:][A-Za-z0-9.:%_-]*$/, 'a host name or an IP address', 253),
          'The name or the address of the server',
        ),
        port: documented(whole(1, 65_535).optional(), 'Its port. By default 22'),
        user: documented(
          pattern(/^[A-Za-z0-9_][A-Za-z0-9._@+-]*$/, 'a user name', 64),
          'As whom the box logs in, with its own key, which the page System, Backup shows',
        ),
        folder: documented(
          pattern(
            /^[^\x00-\x1f\x7f"'\\*?[\]-][^\x00-\x1f\x7f"'\\*?[\]]*$/,
            'a folder without quotes, backslashes and * ? [ ]',
            1000,
          ),
          'A folder that is there: from the root, or from where the login begins',
        ),
        host_key: documented(
          pattern(
            /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/]{32,2000}={0,2}$/,
            'a host key such as "ssh-ed25519 AAAA…"',
          ).optional(),
          'The public host key of the server, as in its /etc/ssh/ssh_host_ed25519_key.pub. Absent: it is confirmed on the page System, Backup',
        ),
      })
      .optional(),
    'Backups to a folder of an SFTP server, by the `sftp` of the system (openssh-client)',
  ),
});
