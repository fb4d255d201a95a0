import type { Command } from './command.ts';

/** What makes a flashed card a box of its own. */
export const applianceCommands: readonly Command[] = [
  {
    name: 'take-settings',
    does: 'put in force what an installer dropped on the card, before the box starts',
    arguments: [{ name: 'DIR', required: true }],
    options: {
      'config-dir': {
        type: 'string',
        value: 'DIR',
        description: 'where the config is kept; /etc/gatehouse when absent',
      },
      'data-dir': {
        type: 'string',
        value: 'DIR',
        description: "the box's data directory; /var/lib/gatehouse when absent",
      },
      'network-dir': {
        type: 'string',
        value: 'DIR',
        description: "NetworkManager's connections; /etc/NetworkManager/system-connections when absent",
      },
    },
    more: [
      'Takes gatehouse.yaml (config), site.yaml, wifi.yaml (ssid, key, security, hidden) and identity.yaml, with the files that they name. What is right is in force, on disk, and gone from the card, for it holds secrets. What is wrong stays, the box goes on with what it had, and gatehouse-problems.txt on the card says where and why: exit status 1.',
      'A box that has no identity yet makes its own: a serial number and a setup code.',
      'An image runs it as root at every start. A power cut at any moment loses nothing: the next start goes on.',
    ],
    load: async () => (await import('./take-settings.ts')).takeSettings,
  },
  {
    name: 'batch',
    does: 'give many boxes from one image an identity each: a folder for each card, and labels to print',
    options: {
      count: { type: 'string', value: 'N', description: 'how many boxes' },
      out: { type: 'string', value: 'DIR', description: 'a new folder for what is made; its owner alone may read it' },
      first: {
        type: 'string',
        value: 'SN',
        description: 'serial number of the first, such as A0001; the others count on from it. Absent: by chance',
      },
      'product-id': {
        type: 'string',
        value: 'ID',
        description: 'product_id of the boxes; that of the config when absent',
      },
      'product-key-file': {
        type: 'string',
        value: 'FILE',
        description: 'holds the product_key of the boxes, if they have one',
      },
      url: {
        type: 'string',
        value: 'URL',
        description: 'what their QR codes begin with; that of the config when absent',
      },
      config: {
        type: 'string',
        value: 'FILE',
        description: 'the config that the boxes will have: vendor, model and codes',
      },
    },
    more: [
      'DIR/SN/identity.yaml goes on the card of that box. DIR/labels.html is printed, in Chinese and English: serial number, hotspot and password, setup code, QR codes. DIR/boxes.csv lists them. DIR/site.yaml registers them with the box or platform above: gatehouse apply.',
      'All of it holds secrets. Keep boxes.csv if a label is ever to be printed again: nothing else knows them.',
    ],
    examples: ['gatehouse batch --count 20 --first GH26-0001 --out batch-1 --config gatehouse.yaml'],
    load: async () => (await import('./batch.ts')).batch,
  },
];
