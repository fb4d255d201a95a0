import type { Command } from './command.ts';

/** Commands that make a flashed card a box of its own. */
export const applianceCommands: readonly Command[] = [
  {
    name: 'take-settings',
    does: 'apply the settings that an installer put on the card, before the box starts',
    arguments: [{ name: 'DIR', required: true }],
    options: {
      'config-dir': {
        type: 'string',
        value: 'DIR',
        description: 'where the config is kept; default: /etc/gatehouse',
      },
      'data-dir': {
        type: 'string',
        value: 'DIR',
        description: "the box's data directory; default: /var/lib/gatehouse",
      },
      'network-dir': {
        type: 'string',
        value: 'DIR',
        description: "NetworkManager's connections; default: /etc/NetworkManager/system-connections",
      },
    },
    more: [
      'Reads gatehouse.yaml (config), site.yaml, wifi.yaml (ssid, key, security, hidden) and identity.yaml, with the files that they name. Files without errors are applied, saved to disk, and removed from the card, because they contain secrets. A file with errors stays, the box continues with its earlier settings, and gatehouse-problems.txt on the card says where and why: exit status 1.',
      'A box that has no identity yet makes its own: a serial number and a setup code.',
      'An image runs it as root at every start. A power cut at any moment loses nothing: the next start continues.',
    ],
    load: async () => (await import('./take-settings.ts')).takeSettings,
  },
  {
    name: 'batch',
    does: 'make an identity for each of many boxes with the same image: a folder for each card, and labels to print',
    options: {
      count: { type: 'string', value: 'N', description: 'how many boxes' },
      out: { type: 'string', value: 'DIR', description: 'a new folder for the files; only its owner may read it' },
      first: {
        type: 'string',
        value: 'SN',
        description: 'serial number of the first, such as A0001, from which the others count up; default: random',
      },
      'product-id': {
        type: 'string',
        value: 'ID',
        description: 'product_id of the boxes; default: that of the config',
      },
      'product-key-file': {
        type: 'string',
        value: 'FILE',
        description: 'holds the product_key of the boxes, if they have one',
      },
      url: {
        type: 'string',
        value: 'URL',
        description: 'the beginning of their QR codes; default: that of the config',
      },
      config: {
        type: 'string',
        value: 'FILE',
        description: 'the config that the boxes will have: vendor, model and codes',
      },
    },
    more: [
      'DIR/SN/identity.yaml goes on the card of that box. DIR/labels.html is printed, in Chinese and English: serial number, hotspot and password, setup code, QR codes. DIR/boxes.csv lists them. DIR/site.yaml registers them with the box or platform above: gatehouse apply.',
      'All of these files contain secrets. Keep boxes.csv if you may have to print a label again: the secrets are nowhere else.',
    ],
    examples: ['gatehouse batch --count 20 --first GH26-0001 --out batch-1 --config gatehouse.yaml'],
    load: async () => (await import('./batch.ts')).batch,
  },
];
