import { qrAppTypes, qrForms } from '../platform/qr-content.ts';
import type { Command } from './command.ts';
import { findsBox, json } from './common-options.ts';

/** The part of the table of commands that is about bringing devices to a site: codes and labels. */
export const provisioningCommands: readonly Command[] = [
  {
    name: 'qr',
    does: "a device's QR code, in the terminal or as a picture",
    arguments: [{ name: 'DEVICE_ID', required: true }],
    options: {
      form: { type: 'string', choices: qrForms, description: 'which text of SPEC 2.4; default: 1' },
      out: { type: 'string', value: 'FILE', description: 'write it to this file, whose name ends with .svg or .png' },
      'app-type': { type: 'string', choices: qrAppTypes, description: 'for form 1; default: box.app_type' },
      'app-id': { type: 'string', value: 'ID', description: 'for form 1; default: box.app_id' },
      func: { type: 'string', value: 'NAME', description: 'for form 1: what the code is for; default: activate' },
      status: {
        type: 'string',
        choices: ['-1', '0', '1'],
        description: 'for a screen: -1 not networked, 0 connected to the platform, 1 connection failed',
      },
      ...findsBox,
      json,
    },
    more: [
      'A product_id instead of DEVICE_ID makes the code for devices of that product that cannot show their ids; they are found as VENDOR_{model}.',
      'The device need not be registered, but its product must be known. The text begins with box.qr_base_url of the config.',
    ],
    examples: ['gatehouse qr FACE-T1_A0001 --out north-gate.svg', 'gatehouse qr FACE-T1'],
    load: async () => (await import('./qr.ts')).qr,
  },
  {
    name: 'qr-read',
    does: "what the text of a device's QR code means",
    arguments: [{ name: 'TEXT', required: true }],
    options: { ...findsBox, json },
    more: [
      'Quote the text, because & and ? have a meaning for the shell. If there is a box, the command says whether it knows the product.',
    ],
    examples: ["gatehouse qr-read 'https://qr.example/d/FACE-T1_A0001/activate?product=FT1&status=-1'"],
    load: async () => (await import('./qr.ts')).qrRead,
  },
  {
    name: 'labels',
    does: 'a sheet of labels to print: QR code, name, device id, broadcast name',
    arguments: [{ name: 'DEVICE_ID', many: true }],
    options: {
      product: { type: 'string', value: 'ID', description: 'all registered devices of this product' },
      sheet: {
        type: 'string',
        choices: ['a4', '50x30'],
        description: 'a4: 3 x 8 labels of 70 x 37 mm (default); 50x30: one of 50 x 30 mm a page',
      },
      lang: { type: 'string', choices: ['zh-CN', 'en'], description: 'default: that of the site' },
      out: { type: 'string', value: 'FILE', description: 'write the HTML to this file; default: standard output' },
      ...findsBox,
    },
    more: [
      'Without device ids: all registered devices. At most 2000 labels. For a product_id: a label without an id, for devices that cannot show one.',
      'Open the file in a browser and print it at 100 %, without margins.',
    ],
    examples: ['gatehouse labels --product FACE-T1 --out labels.html'],
    load: async () => (await import('./labels.ts')).labels,
  },
];
