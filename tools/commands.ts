import type { Command } from '../src/cli/command.ts';
import { json } from '../src/cli/common-options.ts';

/** The comparison of a box with its cloud. */
export const parityCommand: Command = {
  name: 'parity',
  does: 'send the same signed calls to a box and to its cloud, and list what they answer differently',
  options: {
    box: { type: 'string', value: 'URL', description: 'the address of the box, such as https://box:8443' },
    against: { type: 'string', value: 'URL', description: 'the address of the cloud' },
    site: { type: 'string', value: 'SITE', description: 'a site file with callers that both sides know' },
    ca: {
      type: 'string',
      value: 'FILE',
      multiple: true,
      description: 'an authority to trust: that of the box (trust export), that of the cloud',
    },
    writes: {
      type: 'boolean',
      description: 'compare writes too: a department, a person with a card and two files, all removed again',
    },
    json,
  },
  more: [
    'Without --writes nothing is written on either side. Of the site file it uses the first attendance caller, app and OAuth client with a secret, the first device and the app codes.',
    'Exit status: 0 no difference, 1 differences, 2 one side could not be reached.',
  ],
  examples: [
    'gatehouse parity --box https://box.example:8443 --against https://cloud.example --site callers.yaml --ca trust.pem',
  ],
  load: async () => (await import('./commands/parity.ts')).parity,
};

/** Simulated devices, a simulated cloud, and both around a box. */
export const simulationCommands: readonly Command[] = [
  {
    name: 'demo',
    does: 'run a box, a simulated cloud and a few simulated terminals, and show what happens when the line is cut',
    options: { once: { type: 'boolean', description: 'end after the story instead of running until Ctrl-C' } },
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    name: 'sim device',
    does: 'simulate terminals that punch and log, and count what is acknowledged',
    options: {
      mqtts: { type: 'string', value: 'HOST:PORT', description: 'connect over MQTT with TLS' },
      mqtt: { type: 'string', value: 'HOST:PORT', description: 'connect over plain MQTT' },
      https: { type: 'string', value: 'URL', description: 'connect over HTTPS' },
      http: { type: 'string', value: 'URL', description: 'connect over plain HTTP (a simulated cloud)' },
      ca: { type: 'string', value: 'FILE', description: 'the trust store to check the certificate with' },
      insecure: { type: 'boolean', description: 'accept any certificate' },
      site: {
        type: 'string',
        value: 'SITE',
        description: 'a site file: its people punch, at terminals of its product; default: e1 to e40',
      },
      product: { type: 'string', value: 'ID', description: 'the product_id; default: the first of --site' },
      'key-file': {
        type: 'string',
        value: 'FILE',
        description: 'holds the product key; default: that of --site, else standard input',
      },
      model: { type: 'string', value: 'MODEL', description: 'for the log topic; default: the product_id' },
      count: { type: 'string', value: 'N', description: 'how many devices; default: 1' },
      serial: {
        type: 'string',
        value: 'SN',
        description: 'of the first device, from which the others count up; default: A0001',
      },
      rate: { type: 'string', value: 'R', description: 'punches a second for each device; default: 0.5' },
      logs: { type: 'string', value: 'R', description: 'log records a second for each device; default: 0' },
      shape: { type: 'string', value: 'SHAPE', choices: ['steady', 'lunch'], description: 'evenly, or in bursts' },
      records: { type: 'string', value: 'N', description: 'each device sends so many; then the command ends' },
      activate: { type: 'boolean', description: 'ask for device keys first, and then use them' },
      hotspot: {
        type: 'string',
        value: 'HOST:PORT',
        description: 'is not set up: serve its hotspot endpoints there first',
      },
      network: { type: 'string', value: 'SSID', description: 'with --hotspot: the network that exists' },
      'network-key-file': {
        type: 'string',
        value: 'FILE',
        description: 'with --hotspot: holds its password; absent: open',
      },
      result: { type: 'string', value: 'HOST:PORT', description: 'with --hotspot: where results are sent (UDP)' },
    },
    examples: [
      'gatehouse sim device --site site.yaml --mqtts 127.0.0.1:8883 --ca trust.pem --records 5',
      'gatehouse sim device --product FACE-T1 --key-file product.key --mqtts 127.0.0.1:8883 --ca trust.pem --count 5',
    ],
    load: async () => (await import('./commands/sim-device.ts')).simDevice,
  },
  {
    name: 'sim cloud',
    does: 'simulate the cloud with all its APIs, their limits and, when asked, faults of each',
    options: {
      site: { type: 'string', value: 'SITE', description: 'a site file: what the cloud holds, and who may call it' },
      mqtts: { type: 'string', value: 'HOST:PORT', description: 'listen for MQTT with TLS' },
      mqtt: { type: 'string', value: 'HOST:PORT', description: 'listen for plain MQTT' },
      https: { type: 'string', value: 'HOST:PORT', description: 'listen for HTTPS' },
      http: { type: 'string', value: 'HOST:PORT', description: 'listen for plain HTTP' },
      'tls-dir': {
        type: 'string',
        value: 'DIR',
        description: 'where its certificate is kept; default: ./gatehouse-sim-cloud',
      },
      gateway: {
        type: 'string',
        value: 'ID',
        multiple: true,
        description: 'a product whose devices may send for others; default: GATEHOUSE',
      },
      record: { type: 'string', value: 'FILE', description: 'write every record there before it is acknowledged' },
      fault: {
        type: 'string',
        value: 'NAME[=P]',
        multiple: true,
        description: 'refuse, hang, drop, code, or one of an API such as weather.slow, with probability P',
      },
      'no-limits': { type: 'boolean', description: 'accept logs and attendance calls at any rate' },
      'phone-checkins': { type: 'string', value: 'N', description: 'check-ins that phones made in the last 30 days' },
    },
    more: [
      'Lines on standard input control it: cut, restore, fault NAME P, clear, phone N [TYPE…], send DEVICE ENVELOPE, stats, quit.',
      'The files ca.pem and, for a box, the upstream addresses of the ready line are what the other side needs.',
    ],
    examples: ['gatehouse sim cloud --site site.yaml --mqtts 127.0.0.1:9883 --https 127.0.0.1:9443 --fault drop=0.1'],
    load: async () => (await import('./commands/sim-cloud.ts')).simCloud,
  },
];
