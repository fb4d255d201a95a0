import type { Command, CommandOption } from './command.ts';
import { findsBox, json } from './common-options.ts';

const via: CommandOption = {
  type: 'string',
  choices: ['bluetooth', 'hotspot'],
  description: 'how; default: Bluetooth, unless it is off',
};
/** Options that say how to reach the device. */
const reaches: Readonly<Record<string, CommandOption>> = {
  via,
  host: {
    type: 'string',
    value: 'HOST:PORT',
    description: "the device's hotspot endpoints, if they can be reached already",
  },
  'hotspot-key-file': { type: 'string', value: 'FILE', description: "holds the password of the device's hotspot" },
  leave: { type: 'boolean', description: "allow the box to leave its only network for the device's hotspot" },
};
const target = { name: 'TARGET' } as const;
const targetWords =
  'TARGET is a name of the scan, a Bluetooth address, or a device id. The box must be running; one run at a time.';

/** The commands that set up site devices. */
export const siteDeviceCommands: readonly Command[] = [
  {
    name: 'provision scan',
    does: 'list devices near the box that wait to be set up',
    options: {
      seconds: { type: 'string', value: 'N', description: 'how long to look; default: 10' },
      via,
      ...findsBox,
      json,
    },
    load: async () => (await import('./provision.ts')).provisionScan,
  },
  {
    name: 'provision info',
    does: 'ask a device who it is',
    arguments: [target],
    options: { ...reaches, ...findsBox, json },
    more: [targetWords],
    load: async () => (await import('./provision.ts')).provisionInfo,
  },
  {
    name: 'provision verify',
    does: 'check over Bluetooth whether a device has the key of its product',
    arguments: [target],
    options: { via, ...findsBox, json },
    more: [targetWords],
    load: async () => (await import('./provision.ts')).provisionVerify,
  },
  {
    name: 'provision wifi',
    does: 'give a device its wifi network, and wait until it is online',
    arguments: [target],
    options: {
      ssid: { type: 'string', value: 'SSID', description: 'the name of the network' },
      'key-file': { type: 'string', value: 'FILE', description: 'holds the wifi password; absent: standard input' },
      security: {
        type: 'string',
        choices: ['none', 'WEP64', 'WEP128', 'WPA-PSK-TKIP', 'WPA-PSK-AES', 'WPA2-PSK-TKIP', 'WPA2-PSK-AES'],
        description: 'of the network; what the device sees takes precedence',
      },
      form: {
        type: 'string',
        choices: ['fold', 'repeat'],
        description: 'how the password is protected; as its model took it last, else fold',
      },
      ...reaches,
      ...findsBox,
      json,
    },
    more: [targetWords],
    examples: ['printf %s the-password | gatehouse provision wifi FACE-T1_A0001 --ssid Plant'],
    load: async () => (await import('./provision.ts')).provisionWifi,
  },
  {
    name: 'provision results',
    does: 'what devices announced last of their network configuration',
    options: { limit: { type: 'string', value: 'COUNT', description: 'how many; default: 50' }, ...findsBox, json },
    load: async () => (await import('./provision.ts')).provisionResults,
  },
  {
    name: 'sign ble',
    does: 'the Bluetooth signature of a device and the string that was signed',
    options: {
      device: {
        type: 'string',
        value: 'ID',
        description: 'the device id, in the letters in which the device sends it',
      },
      random: { type: 'string', value: 'TEXT', description: 'the random string that the app sent' },
      'key-file': { type: 'string', value: 'FILE', description: 'holds the product key; absent: standard input' },
      'wifi-key-file': {
        type: 'string',
        value: 'FILE',
        description: 'holds a wifi password: its protected bytes as well',
      },
      'show-key': { type: 'boolean', description: 'write the signed string with its key; masked otherwise' },
      ...findsBox,
      json,
    },
    examples: ['printf %s the-key | gatehouse sign ble --device FACE-T1_A0001 --random a1B2c3D4'],
    load: async () => (await import('./sign-ble.ts')).signBle,
  },
];
