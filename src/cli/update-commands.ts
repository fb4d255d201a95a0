import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

/** The part of the table of commands that is about updates. */
export const updateCommands: readonly Command[] = [
  {
    name: 'update',
    does: 'install a signed update bundle, or return to what ran before',
    arguments: [{ name: 'FILE' }],
    options: {
      rollback: { type: 'boolean', description: 'return to what ran before the last update' },
      status: {
        type: 'boolean',
        description: 'show what runs, what a rollback would return to, and how the last update went',
      },
      'allow-older': { type: 'boolean', description: 'install FILE although it is older than what runs' },
      yes: { type: 'boolean', short: 'y', description: 'do not ask' },
      ...findsBox,
      json,
    },
    more: [
      'The box makes a backup first, RAUC checks the signature and installs, and the box (of an image: the machine) restarts. An update that is not healthy for a minute is rolled back automatically; --status says why.',
      'A bundle that is older than what runs is refused, even with a valid signature: its vulnerabilities are known by now. --allow-older, said as root, installs it; --rollback needs no bundle.',
      'FILE may be on a USB stick: the box mounts sticks under /run/gatehouse-usb.',
    ],
    examples: [
      'gatehouse update /run/gatehouse-usb/sda1/gatehouse-program-0.2.0-arm64.raucb',
      'gatehouse update --status',
    ],
    load: async () => (await import('./update.ts')).update,
  },
];
