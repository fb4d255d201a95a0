import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { effectiveKeys, FileRefused, loadConfig } from '../../src/config/index.ts';
import { issueLeaf, makeAuthority } from '../../src/operations/issuing.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return name;
};
const load = (text: string | undefined, env: NodeJS.ProcessEnv = {}, dataDir?: string) =>
  loadConfig({
    ...(text === undefined ? {} : { file: write('gatehouse.yaml', text) }),
    ...(dataDir === undefined ? {} : { dataDir }),
    env,
    cwd: folder,
  });
const refusal = (text: string | undefined, env: NodeJS.ProcessEnv = {}): string => {
  try {
    load(text, env);
  } catch (error) {
    if (error instanceof FileRefused) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
};

describe('a config file is refused by name, with line and column', () => {
  test.each([
    [
      'a misspelt key',
      'listen:\n  mqts: 1.2.3.4:1\n',
      'gatehouse.yaml:2:3 listen.mqts: unknown key; did you mean "mqtts"?',
    ],
    [
      'a key of nowhere',
      'colour: red\n',
      /^gatehouse\.yaml:1:1 colour: unknown key: known here are environment, data_dir, /,
    ],
    [
      'no address',
      'listen:\n  mqtts: x\n',
      'gatehouse.yaml:2:10 listen.mqtts "x": not an address: write host:port, or "off"',
    ],
    [
      'a port alone',
      'listen: { mqtts: 8883 }',
      'gatehouse.yaml:1:18 listen.mqtts "8883": YAML reads a number here: put it in quotes, so that it stays text as written',
    ],
    [
      'a port too high',
      'listen: { https: "0.0.0.0:70000" }',
      'gatehouse.yaml:1:18 listen.https "0.0.0.0:70000": not an address: write host:port, or "off"',
    ],
    ['an IPv6 address without brackets', 'listen: { https: "::1:8443" }', /not an address/],
    [
      'plain MQTT for the network',
      'listen: { mqtt: "0.0.0.0:1883" }',
      'gatehouse.yaml:1:17 listen.mqtt "0.0.0.0:1883": plain MQTT is for this machine alone: write 127.0.0.1:1883 or "off", and use mqtts for the rest',
    ],
    [
      'neither on nor off',
      'features: { upstream: true }',
      'gatehouse.yaml:1:23 features.upstream "true": write on or off',
    ],
    [
      'one port for two listeners',
      'listen:\n  mqtts: 0.0.0.0:8443\n',
      'gatehouse.yaml:2:10 listen.mqtts "0.0.0.0:8443": the same address as listen.https: give each its own port',
    ],
    [
      'a serial number that lost its zeros',
      'box:\n  device_sn: 000001\n',
      'gatehouse.yaml:2:14 box.device_sn "000001": YAML reads a number here: put it in quotes, so that it stays text as written',
    ],
    [
      'a word that is none of the words',
      'environment: prodution',
      'gatehouse.yaml:1:14 environment "prodution": write test or production; did you mean "production"?',
    ],
    [
      'a time zone of nowhere',
      'site: { timezone: Mars/Base }',
      /^gatehouse\.yaml:1:19 site\.timezone "Mars\/Base": no time zone that is known here/,
    ],
    [
      'a section that is a text',
      'upstream: https://cloud.example',
      /^gatehouse\.yaml:1:11 upstream.*: not a map: write its keys under it, indented: mode, device_mqtt, /,
    ],
    [
      'a limit that is a text',
      'limits: { log_per_second: many }',
      'gatehouse.yaml:1:27 limits.log_per_second "many": not a whole number from 1 to 1000000000',
    ],
    [
      'a limit of nothing',
      'limits: { inbox_messages: 0 }',
      'gatehouse.yaml:1:27 limits.inbox_messages "0": not a whole number from 1 to 1000000',
    ],
    [
      'an address with the wrong scheme',
      'upstream: { device_mqtt: "https://x" }',
      'gatehouse.yaml:1:26 upstream.device_mqtt "https://x": begins with https://: it must begin with mqtts:// or mqtt://',
    ],
    [
      'a query in what QR codes begin with',
      'box: { qr_base_url: "https://x/?a=b" }',
      'gatehouse.yaml:1:21 box.qr_base_url "https://x/?a=b": has a ? or # in it: the path of the code goes on behind it',
    ],
    [
      'two actions of one code',
      'actions: { time_sync: 1001 }',
      /actions\.time_sync "1001": the code of activate already: each action needs its own$/,
    ],
    [
      'a code that another action has, with who answers it',
      'actions: { time_sync: { code: 1001 } }',
      /the code of activate already: each action needs its own$/,
    ],
    [
      'an action that is neither a code nor off',
      'actions: { time_sync: none }',
      'gatehouse.yaml:1:23 actions.time_sync "none": write the code, "off", or { code: 41, answered_by: cloud }',
    ],
    [
      'an answer of a cloud that is not there',
      'actions: { time_sync: { answered_by: cloud } }',
      /actions\.time_sync.*: answered_by: cloud, and there is none: write upstream\.device_mqtt or device_http, or leave it to the box$/,
    ],
    [
      'people that would go to the cloud unread',
      'features: { upstream: off }\nactions: { feature_report: off }',
      /actions\.feature_report "off": off, so that its messages would go to the cloud unread/,
    ],
    [
      'batches without an address',
      'box: { access_key: k }\nupstream: { mode: batch }',
      'gatehouse.yaml:2:1 upstream.device_http: missing: mode batch sends over HTTP: write https:// and the host',
    ],
    [
      'backups to a box above that is not there',
      'upstream: { device_http: "https://x" }\nbackups: { above: {} }',
      /backups\.above.*: there is no box above: backups go there over upstream, in mode batch$/,
    ],
    [
      'a box without a key for its own session',
      'upstream: { mode: gateway, device_mqtt: "mqtts://x" }',
      /box\.access_key: missing: in upstream mode gateway the box logs in as itself/,
    ],
    [
      'a key twice',
      'environment: test\nenvironment: test\n',
      'gatehouse.yaml:2:1: "environment" is written twice in one map: keep one',
    ],
    ['a tab', 'listen:\n\tmqtts: off\n', 'gatehouse.yaml:2:1: a tab: YAML is indented with spaces'],
    ['a list', '- environment: test\n', 'gatehouse.yaml:1:1: no map of keys: write `key: value`, one a line'],
    [
      'two documents',
      'environment: test\n---\nenvironment: test\n',
      'gatehouse.yaml:2:1: a second document begins here (`---`): a file holds one',
    ],
    [
      'a key with nothing behind it',
      'listen:\n  mqtts:\n',
      /^gatehouse\.yaml:2:\d+ listen\.mqtts: empty: write host:port, or "off", or remove the key$/,
    ],
    ['a prototype', '__proto__: { environment: production }\n', /^gatehouse\.yaml:1:1 __proto__: unknown key/],
  ])('%s', (_name, text, expected) => {
    const said = refusal(text);
    if (typeof expected === 'string') expect(said).toBe(expected);
    else expect(said).toMatch(expected);
  });

  test('everything that is wrong is listed, in the order of the file', () => {
    const said = refusal(
      'environment: tset\nlisten:\n  mqtts: x\n  htps: off\nlimits: { log_bytes: 1 }\nupstream: { mode: batch }\n',
    );
    expect(said.split('\n').map(line => line.split(':').slice(1, 3).join(':').replace(/ .*/, ''))).toEqual([
      '1:1',
      '1:14',
      '3:10',
      '4:3',
      '5:22',
      '6:1',
    ]);
  });

  test('a file that is not there is named, with the reason', () => {
    expect(() => loadConfig({ file: 'none.yaml', env: {}, cwd: folder })).toThrow(
      'none.yaml: cannot be read: there is no such file',
    );
  });
});

test('an empty file, one of comments alone and none at all are the defaults', () => {
  for (const text of ['', '# nothing yet\n', 'listen:\n  # mqtts: x\n', undefined]) {
    const { config } = load(text);
    expect(config.listen.mqtts).toBe('0.0.0.0:8883');
    expect(config.limits.log_per_day).toBe(10_000);
    expect(config.data_dir).toBe(join(folder, 'gatehouse-data'));
    expect(config.upstream).toBeUndefined();
  }
});

test('YAML off is the text off, JSON is YAML, and [::1] is an address', () => {
  const { config } = load('{"listen": {"mqtts": "[::1]:0", "mqtt": off}}');
  expect(config.listen).toMatchObject({ mqtts: '[::1]:0', mqtt: 'off' });
});

describe('the environment', () => {
  test('lays values over the file, as the key wants them', () => {
    const { config, origin } = load('listen: { mqtts: "1.2.3.4:1" }\n', {
      GATEHOUSE_LISTEN__MQTTS: '127.0.0.1:8883',
      GATEHOUSE_LIMITS__LOG_PER_SECOND: '40',
      GATEHOUSE_BOX__DEVICE_SN: '000007',
      GATEHOUSE_STRICT: 'true',
      GATEHOUSE_UPSTREAM__DEVICE_HTTP: 'http://127.0.0.1:1',
      GATEHOUSE_BINARY: '/somewhere/else',
      GATEHOUSE_CONFIG: 'gatehouse.yaml',
      GATEHOUSE_SITE__NAME: '',
    });
    expect(config.listen.mqtts).toBe('127.0.0.1:8883');
    expect(config.limits.log_per_second).toBe(40);
    expect(config.box.device_sn).toBe('000007');
    expect(config.strict).toBe(true);
    expect(config.upstream?.mode).toBe('per-device');
    expect(config.site.name).toBe('My site');
    expect(origin(['listen', 'mqtts'])).toBe('GATEHOUSE_LISTEN__MQTTS');
  });

  test.each([
    [{ GATEHOUSE_LISTEN__MQTTS: 'x' }, 'GATEHOUSE_LISTEN__MQTTS "x": not an address: write host:port, or "off"'],
    [
      { GATEHOUSE_LISTEN__MQTS: 'x' },
      'GATEHOUSE_LISTEN__MQTS: no key of the config file; did you mean "GATEHOUSE_LISTEN__MQTTS"?',
    ],
    [
      { GATEHOUSE_ENVIROMENT: 'test' },
      'GATEHOUSE_ENVIROMENT: no key of the config file; did you mean "GATEHOUSE_ENVIRONMENT"?',
    ],
    [{ GATEHOUSE_LISTEN: '{}' }, 'GATEHOUSE_LISTEN: a section: set the keys in it, such as GATEHOUSE_LISTEN__MQTTS'],
    [
      { GATEHOUSE_LIMITS__LOG_BYTES: 'big' },
      'GATEHOUSE_LIMITS__LOG_BYTES "big": not a whole number from 64 to 1048576 (bytes)',
    ],
  ])('errors name the variable: %o', (env, expected) => {
    expect(refusal(undefined, env)).toBe(expected);
  });
});

describe('a store on PostgreSQL', () => {
  const region = (more: string) => `store: { engine: postgres, url: "postgresql://a:b@db/c" }\n${more}`;

  test('takes what boxes and devices send, by the gateway of its own, and forwards records alone', () => {
    expect(load(region('')).config.store.engine).toBe('postgres');
    const withUpstream = (upstream: string) => region(`upstream: ${upstream}\n`);
    expect(load(withUpstream('{ device_http: "https://x" }')).config.upstream?.device_http).toBe('https://x');
    expect(refusal(withUpstream('{ oauth: "https://x" }'))).toContain(
      'upstream.oauth "https://x": a region forwards records alone',
    );
  });

  test('has an address, which is a secret and for this engine alone', () => {
    expect(refusal('store: { engine: postgres }\nlisten: { mqtts: "off" }\n')).toContain('store.url: missing');
    expect(refusal('store: { url: "postgresql://a:b@db/c" }\n')).toContain('is for engine postgres alone');
    expect(refusal('store: { files: ./shared }\n')).toMatch(
      /^gatehouse.yaml:1:\d+ store\.files ".*shared": is for engine postgres alone/m,
    );
    const said = refusal('store: { engine: postgres, url: "mysql://a:s3cret@db/c" }\nlisten: { mqtts: "off" }\n');
    expect(said).toContain('not an address of PostgreSQL');
    expect(said).not.toContain('s3cret');
  });
});

describe('values from files', () => {
  test('file: is read relative to the file that holds it, without its line end', () => {
    mkdirSync(join(folder, 'etc'));
    write('etc/box.key', 'the key\n');
    write('etc/gatehouse.yaml', 'box: { access_key: "file:./box.key" }\ndata_dir: ../data\n');
    const { config } = loadConfig({ file: 'etc/gatehouse.yaml', env: {}, cwd: folder });
    expect(config.box.access_key).toBe('the key');
    expect(config.data_dir).toBe(join(folder, 'data'));
  });

  test('a file that is not there is named at the key', () => {
    expect(refusal('box:\n  access_key: file:box.key\n')).toBe(
      `gatehouse.yaml:2:15 box.access_key: cannot read ${folder}/box.key: there is no such file`,
    );
  });

  test('certificates may be as long as a chain, or all roots of the world', async () => {
    const names = { names: ['gate'], addresses: [] };
    const issued = await issueLeaf(await makeAuthority(Date.UTC(2026, 0, 1)), names, Date.UTC(2026, 0, 1));
    const chain = [issued.cert, ...rootCertificates.slice(0, 3)].join('\n');
    write('chain.pem', chain);
    write('key.pem', issued.key);
    write('roots.pem', rootCertificates.join('\n'));
    const { config } = load(
      'tls: { cert: chain.pem, key: file:key.pem }\nupstream: { device_http: "https://x", ca: roots.pem }\n',
    );
    expect(config.tls).toEqual({ cert: chain.trim(), key: issued.key.trim(), legacy_suites: 'off' });
    expect(config.upstream?.ca).toBe(rootCertificates.join('\n').trim());
  });

  test('a certificate needs its key and a key its certificate; the suites are chosen without either', () => {
    write('key.pem', 'nothing\n');
    expect(refusal('tls: { key: file:key.pem }\n')).toContain(
      'tls.cert: missing: tls.key is there, and each needs the other: write the path of its PEM file',
    );
    expect(refusal('tls: { cert: key.pem }\n')).toContain('tls.key: missing: tls.cert is there');
    expect(load('tls: { legacy_suites: on }\n').config.tls).toEqual({ legacy_suites: 'on' });
  });

  test('the legacy gateway host has a name, a certificate that holds it, and its key', async () => {
    const now = Date.UTC(2026, 0, 1);
    const issued = await issueLeaf(await makeAuthority(now), { names: ['legacy.example'], addresses: [] }, now);
    write('old.pem', issued.cert);
    write('old.key', issued.key);
    const pair = 'legacy_cert: old.pem, legacy_key: file:old.key';
    expect(load(`tls: { legacy_host: Legacy.example, ${pair} }\n`).config.tls).toMatchObject({
      legacy_host: 'Legacy.example',
      legacy_cert: issued.cert.trim(),
    });
    expect(refusal(`tls: { legacy_host: other.example, ${pair} }\n`)).toMatch(
      /^gatehouse\.yaml:1:21 tls\.legacy_host: is not in tls\.legacy_cert, so that no device would accept it/,
    );
    expect(refusal(`tls: { legacy_host: legacy.example, legacy_cert: old.key, legacy_key: file:old.key }\n`)).toContain(
      `tls.legacy_cert: ${folder}/old.key holds no PEM certificate`,
    );
    expect(refusal(`tls: { ${pair} }\n`)).toContain(
      'tls.legacy_host: missing: tls.legacy_cert is there, and needs it: write the host name',
    );
    expect(refusal('tls: { legacy_host: legacy.example }\n')).toContain('tls.legacy_key: missing: tls.legacy_host');
  });

  test('a certificate that is none, and roots that are none, are refused before anything listens', () => {
    write('cert.pem', 'nothing\n');
    write('key.pem', 'nothing\n');
    expect(refusal('tls: { cert: cert.pem, key: file:key.pem }\n')).toBe(
      `gatehouse.yaml:1:14 tls.cert: ${folder}/cert.pem holds no PEM certificate (-----BEGIN CERTIFICATE-----)`,
    );
    expect(refusal('upstream: { device_http: "https://x", ca: cert.pem }\n')).toBe(
      `gatehouse.yaml:1:43 upstream.ca: ${folder}/cert.pem holds no PEM certificate (-----BEGIN CERTIFICATE-----)`,
    );
  });
});

describe('an upstream in clear', () => {
  const keys = [
    ['device_mqtt', 'mqtt', (url: string) => `device_mqtt: "${url}"`],
    ['device_http', 'http', (url: string) => `device_http: "${url}"`],
    ['oauth', 'http', (url: string) => `oauth: "${url}"`],
    ['psp.url', 'http', (url: string) => `psp: { url: "${url}", app_id: a, app_key: b }`],
    ['attendance.url', 'http', (url: string) => `attendance: { url: "${url}", app_key: a, app_secret: b }`],
  ] as const;

  test.each(keys)('is refused at %s, and allowed by insecure: yes', (name, scheme, key) => {
    const upstream = key(`${scheme}://cloud.example`);
    expect(refusal(`upstream:\n  ${upstream}\n`)).toMatch(
      new RegExp(
        `^gatehouse\\.yaml:2:\\d+ upstream\\.${name} "${scheme}://cloud\\.example": not encrypted: write ${scheme}s://, or upstream\\.insecure: yes where the network between is to be trusted$`,
      ),
    );
    expect(load(`upstream:\n  insecure: yes\n  ${upstream}\n`).config.upstream?.insecure).toBe('yes');
  });

  test.each(keys)('is allowed at %s on loopback', (_, scheme, key) => {
    for (const host of ['127.0.0.1:1', 'localhost', 'LOCALHOST:2', '[::1]:3', '127.8.9.10'])
      expect(load(`upstream: { ${key(`${scheme}://${host}`)} }\n`).config.upstream?.insecure).toBe('no');
  });

  test.each([
    ['a name that begins like loopback', 'localhost.example'],
    ['a name that begins with 127', '127.0.0.1.example'],
    ['every address of the machine', '0.0.0.0'],
    ['another IPv6 address', '[fd00::1]:1'],
    ['a written IPv4 address in IPv6', '[::ffff:10.0.0.1]'],
  ])('is refused for %s', (_, host) => {
    for (const key of [`device_mqtt: "mqtt://${host}"`, `device_http: "http://${host}"`])
      expect(refusal(`upstream: { ${key} }\n`)).toContain('not encrypted');
  });

  test('is refused by the name of its variable', () => {
    expect(refusal(undefined, { GATEHOUSE_UPSTREAM__DEVICE_MQTT: 'MQTT://cloud.example' })).toMatch(
      /^GATEHOUSE_UPSTREAM__DEVICE_MQTT.*: not encrypted: write mqtts:\/\//,
    );
  });

  test('insecure is yes or no', () => {
    expect(refusal('upstream: { insecure: true }')).toBe(
      'gatehouse.yaml:1:23 upstream.insecure "true": write yes or no',
    );
  });
});

describe('environment production', () => {
  test.each([
    [
      'device_http: "http://x"',
      'upstream.device_http "http://x": not encrypted, which environment production refuses: write https://',
    ],
    [
      'device_mqtt: "mqtt://x"',
      'upstream.device_mqtt "mqtt://x": not encrypted, which environment production refuses: write mqtts://',
    ],
    [
      'attendance: { url: "http://x", app_key: a, app_secret: b }',
      'upstream.attendance.url "http://x": not encrypted, which environment production refuses: write https://',
    ],
  ])('refuses an upstream in clear: %s', (key, expected) => {
    expect(refusal(`environment: production\nupstream: { ${key} }\n`)).toContain(expected);
    expect(refusal(`environment: production\nupstream: { insecure: yes, ${key} }\n`)).toContain(expected);
  });

  test('refuses an upstream in clear on loopback too', () => {
    expect(refusal('environment: production\nupstream: { device_http: "http://127.0.0.1:1" }\n')).toContain(
      'not encrypted, which environment production refuses: write https://',
    );
  });

  test('refuses the example keys of the demo and the manual', () => {
    expect(refusal('environment: production\nbox: { access_key: change-me-please }\n')).toBe(
      'gatehouse.yaml:2:20 box.access_key: an example key of the demo or the manual, which environment production refuses: make one of your own',
    );
  });
});

test('a secret is never in what is said, whatever is wrong with it', () => {
  const said = refusal(
    'box: { access_key: [hunter2] }\nupstream: { psp: { url: "https://u:hunter2@x", app_id: a, app_key: {b: hunter2} } }\n',
  );
  expect(said).toContain('box.access_key');
  expect(said).toContain('upstream.psp.url');
  expect(said).not.toContain('hunter2');
});

test('effective shows each key with its value and where it comes from, and masks secrets', () => {
  const loaded = load(
    'box:\n  access_key: hunter2\nlisten: { mqtt: "127.0.0.1:1883" }\n',
    { GATEHOUSE_SITE__LOCALE: 'en' },
    '/srv/box',
  );
  const rows = new Map(effectiveKeys(loaded).map(row => [row.path, row]));
  expect(rows.get('box.access_key')).toEqual({ path: 'box.access_key', value: '(set)', from: 'gatehouse.yaml:2:15' });
  expect(rows.get('listen.mqtt')).toMatchObject({ value: '127.0.0.1:1883', from: 'gatehouse.yaml:3:17' });
  expect(rows.get('site.locale')).toMatchObject({ value: 'en', from: 'GATEHOUSE_SITE__LOCALE' });
  expect(rows.get('data_dir')).toMatchObject({ value: '/srv/box', from: '--data-dir' });
  expect(rows.get('listen.mqtts')).toMatchObject({ value: '0.0.0.0:8883', from: 'default' });
  expect(rows.has('upstream.mode')).toBe(false);
});
