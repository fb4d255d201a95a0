import { expect, test } from 'vitest';
import { configKeys, shareableKeys } from '../../src/config/index.ts';
import { put, type Values } from '../../src/config/values.ts';

const origin = () => 'default';
const planted = 'Li Mei 13871829364 mei@plant.example';

const withEverywhere = (value: (path: string) => unknown): never => {
  const config: Values = {};
  for (const { path, section } of configKeys) if (!section) put(config, path, value(path.join('.')));
  return config as never;
};

test('no key of the config, secret or not, shows a text that somebody wrote', () => {
  for (const written of [planted, [planted], { key: planted }, [{ secret: planted }]]) {
    const rows = shareableKeys({
      config: withEverywhere(path =>
        /url|device_http|device_mqtt|oauth$|policy/.test(path) || (path.endsWith('networks') && !Array.isArray(written))
          ? undefined
          : written,
      ),
      origin,
    }).filter(({ path }) => !/^site\.timezone$|^site\.locale$|^listen\.|\.hotspot$|result_listen/.test(path));
    expect(rows.length).toBeGreaterThan(100);
    expect(JSON.stringify(rows)).not.toContain('Mei');
  }
});

test('an address is shown without path, query and what a token may stand in, a secret one not at all', () => {
  const address = 'https://robot.example:8443/send?access_token=t0ken';
  const keys = configKeys.filter(({ kind, section }) => !section && /^(https|mqtts):/.test(kind));
  const rows = shareableKeys({
    config: withEverywhere(path => (keys.some(key => key.path.join('.') === path) ? address : undefined)),
    origin,
  }).filter(({ value }) => value !== null);
  expect(rows.length).toBe(keys.length);
  for (const { path, value } of rows) {
    const isSecret = keys.find(key => key.path.join('.') === path)!.meta.secret;
    expect(value, path).toBe(isSecret ? '(set)' : 'https://robot.example:8443');
  }
});

test('numbers, choices, listeners and defaults are shown', () => {
  const rows = shareableKeys({
    config: { environment: 'production', listen: { mqtts: '0.0.0.0:8883' }, limits: { log_per_second: 7 } } as never,
    origin,
  });
  const of = (path: string) => rows.find(row => row.path === path)?.value;
  expect([of('environment'), of('listen.mqtts'), of('limits.log_per_second')]).toEqual([
    'production',
    '0.0.0.0:8883',
    7,
  ]);
});
