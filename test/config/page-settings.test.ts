import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig, type PageSettings, withPageSettings } from '../../src/config/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function layered(file: string, set: PageSettings, env: NodeJS.ProcessEnv = {}) {
  writeFileSync(join(folder, 'gatehouse.yaml'), file);
  const { config, origin } = loadConfig({ file: 'gatehouse.yaml', env, cwd: folder });
  return withPageSettings(config, origin, set);
}

test('a value of a page counts where neither file nor environment says the key', () => {
  const { config, origin, wrong } = layered(
    'upstream: { device_mqtt: "mqtts://file.example" }\n',
    { 'upstream.device_mqtt': 'mqtts://page.example', 'box.device_sn': 'P1', 'box.product_id': 'PAGE' },
    { GATEHOUSE_BOX__PRODUCT_ID: 'ENV' },
  );
  expect(wrong).toBeNull();
  expect(config.upstream).toMatchObject({ device_mqtt: 'mqtts://file.example', mode: 'per-device' });
  expect(config.box).toMatchObject({ product_id: 'ENV', device_sn: 'P1' });
  expect(
    ['upstream.device_mqtt', 'box.device_sn', 'box.product_id', 'upstream.mode'].map(key => origin(key.split('.'))),
  ).toEqual(['gatehouse.yaml:1:26', 'page', 'GATEHOUSE_BOX__PRODUCT_ID', 'default']);
});

test('a section that only a page fills is there', () => {
  expect(layered('', { 'upstream.device_http': 'https://page.example' }).config.upstream).toEqual({
    ...{ mode: 'per-device', device_http: 'https://page.example', insecure: 'no' },
  });
});

test.each<[string, string, PageSettings, string, RegExp]>([
  ['a wrong value', '', { 'upstream.device_mqtt': 'cloud' }, 'upstream.device_mqtt', /^not an address/],
  [
    'a mode without a key',
    '',
    { 'upstream.mode': 'gateway', 'upstream.device_mqtt': 'mqtts://a' },
    'box.access_key',
    /^missing/,
  ],
  ['no encryption', '', { 'upstream.device_http': 'http://a.example' }, 'upstream.device_http', /^not encrypted/],
  ['what is no certificate', '', { 'upstream.device_http': 'https://a', 'upstream.ca': 'x' }, 'upstream.ca', /no PEM/],
  [
    'an example key in production',
    'environment: production\n',
    { 'box.access_key': 's3cret' },
    'box.access_key',
    /^an example key/,
  ],
])('%s leaves the config as the file has it, and is named', (_name, file, set, key, why) => {
  const { config, origin, wrong } = layered(file, set);
  expect(wrong).toMatchObject({ key, why: expect.stringMatching(why) });
  expect(config.upstream).toBeUndefined();
  expect(config.box.access_key).toBeUndefined();
  expect(origin(key.split('.'))).toBe('default');
});
