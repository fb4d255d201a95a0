import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

const passphraseFile = {
  type: 'string',
  value: 'FILE',
  description: 'a file whose first line is the passphrase; - for standard input',
} as const;

/** The part of the table of commands that is about backups. */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    does: 'write everything into one encrypted file, while the box runs',
    arguments: [{ name: 'FILE' }],
    options: {
      to: {
        type: 'string',
        value: 'TARGET',
        description:
          'to a target that is configured (directory, stick, smb, sftp, above), read back and verified there; or to a file, or into a folder',
      },
      'passphrase-file': { ...passphraseFile, description: `encrypt with a passphrase: ${passphraseFile.description}` },
      'with-files': { type: 'boolean', description: 'include the files of the public services, which may be large' },
      ...findsBox,
      json,
    },
    more: [
      'It is encrypted to the recovery key (`gatehouse recovery-key new`), or with a passphrase, in the age format: `age -d` opens it too. FILE is never overwritten.',
      '--to a target needs the running box. It is encrypted to the recovery key, and does not change when the next backup by schedule is made.',
    ],
    examples: ['gatehouse backup box.gh', 'gatehouse backup --to sftp'],
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    does: 'replace the contents of a stopped box by a backup; a damaged or foreign backup is refused as a whole',
    arguments: [{ name: 'FILE' }],
    options: {
      'from-above': {
        type: 'boolean',
        description:
          'fetch it from the box above, with the identity of this box in the config; FILE is its name there, by default the newest',
      },
      check: { type: 'boolean', description: 'only check that the file is intact' },
      'recovery-key-file': {
        type: 'string',
        value: 'FILE',
        description: 'a file with the recovery key; - for standard input',
      },
      'passphrase-file': passphraseFile,
      yes: {
        type: 'boolean',
        short: 'y',
        description: 'do not ask, also where the box has newer data than the backup',
      },
      ...findsBox,
      json,
    },
    more: [
      'On a terminal the command asks for the key or passphrase. A backup from before an update (before-update/) opens on its own box without either.',
    ],
    examples: [
      'gatehouse restore box.gh --recovery-key-file recovery-key.txt',
      'gatehouse restore --from-above --config gatehouse.yaml --recovery-key-file recovery-key.txt',
    ],
    load: async () => (await import('./backup.ts')).restore,
  },
  {
    name: 'recovery-key new',
    does: 'make the recovery key for backups, and print it once',
    options: {
      replace: {
        type: 'boolean',
        description: 'replace the key that the box has; earlier backups still need the old key',
      },
      ...findsBox,
      json,
    },
    more: ['The box keeps only the public half. Keep the key away from the box: without it no backup can be opened.'],
    load: async () => (await import('./recovery-key.ts')).recoveryKeyNew,
  },
  {
    name: 'recovery-key show',
    does: 'show the recovery key to which backups are encrypted',
    options: { ...findsBox, json },
    load: async () => (await import('./recovery-key.ts')).recoveryKeyShow,
  },
];
