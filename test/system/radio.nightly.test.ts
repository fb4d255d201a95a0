import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isMade, machine, type Run, runMachine } from '../radio/machine.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';

/**
 * The box is set up by radio, as a site would do it: real BlueZ, real NetworkManager, a router by
 * hostapd and a phone that shares no line with the box. All of them run in one virtual machine
 * under software emulation, whose Bluetooth controllers and wifi radios are the kernel's virtual
 * ones. The phone is written from the specification alone, in Python (`test/radio/frames.py`,
 * `phone.py`), so that the box's reading of it meets a second opinion; the story that the tests
 * below only name is `test/radio/steps.py`.
 *
 * Alone: `npm run test:long -- radio`. The first run makes the machine (a minute, root, kept below
 * `node_modules/.cache`); a run takes five minutes, six on a busy machine.
 * `GATEHOUSE_RADIO_RESULTS=FOLDER` keeps all logs of each run there.
 */

const story = [
  'the box starts in the machine',
  // Not set up
  'a box that is not set up advertises its broadcast name and its service',
  'it opens a hotspot of the same name, with WPA2',
  // Over Bluetooth
  'over Bluetooth it tells its device id and model',
  'its signature verifies with the product key, and with no other',
  'an unknown command is answered with error 0x03',
  'a wrong checksum is answered with error 0x02, and the next frame is read',
  'frames in pieces of 20 bytes, zero-padded or not, are read',
  'wifi settings under another key are ignored',
  'a wrong wifi password is reported over Bluetooth: status -2, error -3',
  'after that it advertises and opens its hotspot again',
  'the right password is reported over Bluetooth: status 0, MAC, address, mask and gateway',
  'the result is broadcast at least 3 times',
  'it answers in the office network',
  'its hotspot is gone while it is in the office network',
  // Through the hotspot
  'gatehouse reset --network opens the hotspot again',
  'a phone that joins the hotspot gets an address of 10.192.168.0/24',
  'on the hotspot every name is the box',
  'the probes of phones lead to a page of less than 20 kB',
  '/wifi/list tells the office network and its security',
  '/device/query tells serial number, model and version',
  'after a wrong key by /wifi/setting the hotspot comes back and tells the error',
  'after the right key by /wifi/setting it joins and broadcasts the result',
  'a phone that comes to the office network after it hears the result',
  // Other networks
  'a network that hides its name can be joined',
  'an open network can be joined, with no password at all',
];

const isExecutable = process.env.GATEHOUSE_BINARY?.endsWith('-linux-x64') === true;

const needs: readonly (readonly [tool: string, debianPackage: string])[] = [
  ['qemu-system-x86_64', 'qemu-system-x86'],
  ['mmdebstrap', 'mmdebstrap'],
  ['mke2fs', 'e2fsprogs'],
];
const missing = needs.filter(([tool]) => !hasTool(tool)).map(([, debianPackage]) => debianPackage);
const rootOrMade = process.getuid?.() === 0 || isMade();
const why =
  process.arch !== 'x64'
    ? 'needs a machine of the kind x86_64'
    : missing.length > 0
      ? `needs ${missing.join(', ')}: apt-get install ${missing.join(' ')}`
      : 'needs root, to make its machine';

suiteWhere(
  process.arch === 'x64' && missing.length === 0 && rootOrMade,
  why,
  'a phone sets up the box by radio',
  () => {
    let run: Run;

    beforeAll(async () => {
      const keep = process.env.GATEHOUSE_RADIO_RESULTS;
      if (keep) await mkdir(keep, { recursive: true });
      const results = await mkdtemp(join(keep ?? tmpdir(), 'gatehouse-radio-'));
      const shared = await mkdtemp(join(tmpdir(), 'gatehouse-program-'));
      try {
        // The machine starts bin/gatehouse of the folder that it is given.
        await mkdir(join(shared, 'bin'));
        if (isExecutable) await copyFile(process.env.GATEHOUSE_BINARY!, join(shared, 'bin/gatehouse'));
        const options = isExecutable ? { program: shared } : {};
        run = await runMachine(await machine(), results, options);
        // Debian's kernel sometimes dies of its own simulated radio (mac80211_hwsim), before the
        // box is started: that says nothing about the box.
        if (run.steps.length === 0 && run.said.includes('Kernel panic')) {
          console.error('the kernel of the machine panicked before the box was started: it is booted once more');
          run = await runMachine(await machine(), results, options);
        }
      } finally {
        await rm(shared, { recursive: true, force: true });
        if (!keep) await rm(results, { recursive: true, force: true });
      }
      if (story.some(name => !run.steps.find(({ step }) => step === name)?.ok)) console.error(run.said);
    }, 20 * 60_000);

    test.each(story)('%s', name => {
      const step = run.steps.find(({ step }) => step === name);
      if (!step) throw new Error('the story did not come to this step');
      if (!step.ok) throw new Error(String(step.detail));
    });

    test('the story has no step that is not named here', () => {
      expect(run.steps.map(({ step }) => step).filter(step => !story.includes(step))).toEqual([]);
    });
  },
);
