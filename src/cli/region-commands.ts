import type { Command } from './command.ts';

export const regionCommands: readonly Command[] = [
  {
    name: 'region init',
    does: 'write what three machines need to become a region, a folder for each',
    arguments: [{ name: 'FOLDER', required: true }],
    options: {
      machines: {
        type: 'string',
        value: 'ADDRESSES',
        description: 'the addresses of the three machines, with commas between; asked for if absent',
      },
      name: {
        type: 'string',
        value: 'NAME',
        multiple: true,
        description:
          'a host name under which devices and people reach the region, for its certificate; may be repeated',
      },
      backups: {
        type: 'string',
        value: 'PATH',
        description: 'where all three mount a share for backups of the database; default: no backups',
      },
      files: {
        type: 'string',
        value: 'PATH',
        description: 'where all three mount a share for files (store.files); default: none',
      },
      'seal-key': {
        type: 'string',
        value: 'FILE',
        description: 'keys/seal.key of a box whose store will be moved to the region; default: a new key',
      },
      environment: {
        type: 'string',
        choices: ['test', 'production'],
        description: 'environment of the store; default: production',
      },
      postgresql: {
        type: 'string',
        value: 'VERSION',
        description: 'major version of PostgreSQL on the machines; default: 15, as in Debian 12',
      },
    },
    more: [
      'Everything in the folder is a secret. Repeated on the same folder, it keeps passwords, keys and authorities, and what it was told before; it issues new certificates and writes all files again.',
      'docs/region.md has all steps.',
    ],
    examples: ['gatehouse region init region --machines 10.0.0.21,10.0.0.22,10.0.0.23 --name region.example.com'],
    load: async () => (await import('./region-init.ts')).regionInit,
  },
];
