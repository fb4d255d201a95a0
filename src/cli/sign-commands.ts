import type { Command } from './command.ts';
import { device, json } from './common-options.ts';

/** The commands that make and explain the signatures of SPEC 5. */
export const signCommands: readonly Command[] = [
  {
    name: 'sign mqtt',
    does: 'the password of a device and the string that was signed',
    options: {
      device: { ...device, description: 'the device id, in the letter case in which the device sends it' },
      'key-file': {
        type: 'string',
        value: 'FILE',
        description: 'holds the product key or device key; absent: standard input',
      },
      'show-key': { type: 'boolean', description: 'write the signed string with its key; masked otherwise' },
      json,
    },
    examples: ['printf %s the-key | gatehouse sign mqtt --device FACE-T1_A0001'],
    load: async () => (await import('./sign.ts')).signMqtt,
  },
  {
    name: 'sign psp',
    does: 'the headers of a call of the public services and the string that was signed',
    options: {
      'app-id': { type: 'string', value: 'ID', description: 'the app_id of the caller' },
      nonce: { type: 'string', value: 'TEXT', description: '6 random characters; default: random' },
      timestamp: { type: 'string', value: 'MS', description: 'milliseconds since 1970; default: now' },
      'key-file': { type: 'string', value: 'FILE', description: 'holds the app_key; absent: standard input' },
      'show-key': { type: 'boolean', description: 'write the signed string with its key; masked otherwise' },
      json,
    },
    examples: ['printf %s the-key | gatehouse sign psp --app-id hr-portal'],
    load: async () => (await import('./sign.ts')).signPsp,
  },
  {
    name: 'sign attendance',
    does: 'the headers of a call of the attendance API and the string that was signed',
    options: {
      path: { type: 'string', value: 'PATH', description: 'the request path; default: /v2.0/cloudappapi' },
      'app-key': { type: 'string', value: 'KEY', description: 'the App-Key of the caller' },
      timestamp: { type: 'string', value: 'MS', description: 'milliseconds since 1970; default: now' },
      'key-file': { type: 'string', value: 'FILE', description: 'holds the App-Secret; absent: standard input' },
      'show-key': { type: 'boolean', description: 'write the signed string with its secret; masked otherwise' },
      json,
    },
    examples: ['printf %s the-secret | gatehouse sign attendance --app-key ak1 --path /v2.0/employee/query'],
    load: async () => (await import('./sign.ts')).signAttendance,
  },
];
