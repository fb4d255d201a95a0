import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import manifest from '../package.json' with { type: 'json' };
import { fixtureOf, fixtureSite, oldDevices, productKey } from '../test/support/release-fixture.ts';
import { HttpTerminal, MqttTerminal } from '../test/support/terminal.ts';

/**
 * `npm run release-fixture`: leaves a store and a config of the version of package.json in
 * `test/updates/releases/VERSION`, as a box in production has them (docs/release.md):
 *
 *   gatehouse.yaml      its config
 *   store.gh            a backup, which this release made
 *   recovery-key.txt    the key that opens the backup
 *
 * The config is written by hand: that of the release before is the beginning of the next one.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const gatehouse = join(root, 'bin/gatehouse');
const into = fixtureOf(manifest.version);
const free = '127.0.0.1:0';

// On the disk: a box in production refuses memory.
await mkdir(join(root, 'node_modules/.cache'), { recursive: true });
const folder = await mkdtemp(join(root, 'node_modules/.cache/fixture-'));
const data = join(folder, 'data');
const run = async (...words: string[]): Promise<string> =>
  (await promisify(execFile)(gatehouse, [...words, '--data-dir', data])).stdout;

try {
  await copyFile(join(into, 'gatehouse.yaml'), join(folder, 'gatehouse.yaml'));
  await writeFile(join(folder, 'site.yaml'), stringify(fixtureSite));
  const words = ['serve', '--config', join(folder, 'gatehouse.yaml'), '--apply', join(folder, 'site.yaml')];
  const box = spawn(gatehouse, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      GATEHOUSE_DATA_DIR: data,
      ...{ GATEHOUSE_LISTEN__MQTTS: free, GATEHOUSE_LISTEN__HTTPS: free, GATEHOUSE_LISTEN__HTTP: free },
      GATEHOUSE_LISTEN__METRICS: free,
    },
  });
  const ended = once(box, 'exit');
  try {
    const { mqtts, https } = await readyLine(box.stderr.setEncoding('utf8'));
    const ca = await readFile(join(data, 'tls/ca.pem'), 'utf8');
    const terminals = oldDevices.map((deviceId, index) => {
      const identity = { deviceId, key: productKey };
      return index === 0
        ? new HttpTerminal(identity, `https://${https}`, ca)
        : new MqttTerminal(identity, `mqtts://${mqtts}`, { ca });
    });
    for (let round = 0; round < 20; round++)
      for (const terminal of terminals) {
        await terminal.say('device');
        await terminal.say('log');
      }
    for (const terminal of terminals) await terminal.end();
    await writeFile(join(into, 'recovery-key.txt'), await run('recovery-key', 'new'));
    await rm(join(into, 'store.gh'), { force: true });
    await run('backup', join(into, 'store.gh'));
  } finally {
    box.kill();
    await ended;
  }
} finally {
  await rm(folder, { recursive: true });
}
process.stdout.write(`${into}\n`);

async function readyLine(said: AsyncIterable<string>): Promise<Record<'mqtts' | 'https', string>> {
  let text = '';
  for await (const part of said) {
    text += part;
    const found = /^ready (\{.*\})$/m.exec(text);
    if (found) return JSON.parse(found[1]!);
  }
  throw new Error(`the box ended: ${text}`);
}
