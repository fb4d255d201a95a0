import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyfileOf } from '../../../src/provisioning/wifi/keyfile.ts';
import { suiteWhere } from '../../support/tools.ts';

const python = '/usr/bin/python3';
const canRead = spawnSync(python, ['-c', 'from gi.repository import GLib'], { stdio: 'ignore' }).status === 0;

/** What GLib, with which NetworkManager reads them, has of these files. */
function readByGlib(files: readonly string[]): { psk: string; ssid: number[] }[] {
  const program = `import json, sys
from gi.repository import GLib
for text in json.load(sys.stdin):
    file = GLib.KeyFile()
    file.load_from_data(text, len(text.encode()), GLib.KeyFileFlags.NONE)
    print(json.dumps({'psk': file.get_string('wifi-security', 'psk'), 'ssid': file.get_integer_list('wifi', 'ssid')}))`;
  const { stdout, stderr } = spawnSync(python, ['-c', program], { input: JSON.stringify(files), encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
}

suiteWhere(canRead, 'needs gi: apt-get install python3-gi', 'a wifi network as a file of NetworkManager', () => {
  test('whatever stands in name and password is read as it was written', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 8, maxLength: 20 }),
      fc.string({
        unit: fc.constantFrom(' ', '\\', 's', 't', ';', '=', '#', '[', ']', '"', '\t'),
        minLength: 8,
        maxLength: 20,
      }),
    );
    const networks = fc.sample(fc.record({ ssid: text, key: text }), { numRuns: 300, seed: 7 });
    const read = readByGlib(networks.map(network => keyfileOf(network)));
    expect(read).toEqual(networks.map(({ ssid, key }) => ({ psk: key, ssid: [...Buffer.from(ssid, 'utf8')] })));
  });
});
