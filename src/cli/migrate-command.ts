import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  does: "copy a stopped box's store into a database, on which a region goes on with it",
  options: {
    to: { type: 'string', choices: ['postgres'], description: 'the engine of the store' },
    url: {
      type: 'string',
      value: 'file:PATH',
      description: 'the file with the address of the database, which is empty; default: store.url of the config',
    },
    'dry-run': { type: 'boolean', description: 'read and check everything, write nothing' },
    'take-back': {
      type: 'boolean',
      description: 'let a box start again whose store was moved; the region must never run again',
    },
    ...findsBox,
    json,
  },
  more: [
    'The store of the box is only read. If the command fails or is cut, the box starts as before; repeat the command, which removes what the attempt before left in the database. When it is done, the box does not start any more.',
    'Every row is copied, and each table is compared on both sides by count and checksum. What is to be done then is printed, and stands in docs/region.md.',
  ],
  examples: ['gatehouse migrate --to postgres --url file:/etc/gatehouse/database --config gatehouse.yaml'],
  load: async () => (await import('./migrate.ts')).migrate,
};
