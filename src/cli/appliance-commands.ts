import type { Command } from './command.ts';

/** What makes a flashed card a box of its own. */
export const applianceCommands: readonly Command[] = [
  {
    name: 'take-settings',
    does: 'put in force what an installer dropped on the card, before the box starts',
    arguments: [{ name: 'DIR', required: true }],
    options: {
      'config-dir': { type: 'string', value: 'DIR', says: 'where the config is kept; /etc/gatehouse when absent' },
      'data-dir': { type: 'string', value: 'DIR', says: "the box's data directory; /var/lib/gatehouse when absent" },
      'network-dir': {
        type: 'string',
        value: 'DIR',
        says: "NetworkManager's connections; /etc/NetworkManager/system-connections when absent",
      },
    },
    more: [
      'Takes gatehouse.yaml (config), site.yaml, wifi.yaml (ssid, key, security, hidden) and identity.yaml, with the files that they name. What is right is in force, on disk, and gone from the card, for it holds secrets. What is wrong stays, the box goes on with what it had, and gatehouse-problems.txt on the card says where and why: exit status 1.',
      'A box that has no identity yet makes its own: a serial number and a setup code.',
      'An image runs it as root at every start. A power cut at any moment loses nothing: the next start goes on.',
    ],
    load: async () => (await import('./take-settings.ts')).takeSettings,
  },
];
