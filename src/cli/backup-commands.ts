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
    does: 'one encrypted file with everything, taken while the box runs',
    arguments: [{ name: 'FILE', required: true }],
    options: {
      'passphrase-file': { ...passphraseFile, description: `encrypt with a passphrase: ${passphraseFile.description}` },
      'with-files': { type: 'boolean', description: 'with the files of the public services, which may be large' },
      ...findsBox,
      json,
    },
    more: [
      'It is encrypted to the recovery key (`gatehouse recovery-key new`), or with a passphrase, in the age format: `age -d` opens it too. FILE is never overwritten.',
    ],
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    does: 'put a backup in place of what a stopped box holds; a damaged or foreign one is refused whole',
    arguments: [{ name: 'FILE', required: true }],
    options: {
      check: { type: 'boolean', description: 'only say whether the file is whole' },
      'recovery-key-file': {
        type: 'string',
        value: 'FILE',
        description: 'a file with the recovery key; - for standard input',
      },
      'passphrase-file': passphraseFile,
      'allow-unencrypted': {
        type: 'boolean',
        description: 'take a backup of an older version, which is not encrypted: only one whose way here you know',
      },
      ...findsBox,
      json,
    },
    more: [
      'On a terminal the key or passphrase is asked for. A backup from before an update (before-update/) opens on its own box without either.',
    ],
    examples: ['gatehouse restore box.gh --recovery-key-file recovery-key.txt'],
    load: async () => (await import('./backup.ts')).restore,
  },
  {
    name: 'recovery-key new',
    does: 'make the key that backups are encrypted to, and print it once',
    options: {
      replace: {
        type: 'boolean',
        description: 'in place of the one that the box has; earlier backups need that one still',
      },
      ...findsBox,
      json,
    },
    more: ['The box keeps the public half alone. Keep the key away from the box: without it no backup is opened.'],
    load: async () => (await import('./recovery-key.ts')).recoveryKeyNew,
  },
  {
    name: 'recovery-key show',
    does: 'say to which recovery key backups are encrypted',
    options: { ...findsBox, json },
    load: async () => (await import('./recovery-key.ts')).recoveryKeyShow,
  },
];
