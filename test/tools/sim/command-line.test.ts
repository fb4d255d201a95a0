import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { run } from '../../support/program.ts';
import { aSite, productKey } from '../../support/site.ts';
import { until } from '../../support/until.ts';

const gatehouse = process.env.GATEHOUSE_BINARY ?? fileURLToPath(new URL('../../../bin/gatehouse', import.meta.url));

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-sim-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'site.yaml'), stringify(aSite()));
  await writeFile(join(folder, 'product.key'), productKey);
  return folder;
}

interface Cloud {
  readonly child: ChildProcess;
  readonly addresses: Record<string, string>;
  said(): string;
  answered(): string;
}

async function aCloud(folder: string, ...words: string[]): Promise<Cloud> {
  const child = spawn(gatehouse, ['sim', 'cloud', '--site', 'site.yaml', ...words], { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  let stdout = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text;
  });
  const ready = await until('the cloud is ready', () => /^ready (.*)$/m.exec(stderr)?.[1]);
  return { child, addresses: JSON.parse(ready), said: () => stderr, answered: () => stdout };
}

test('a simulated device over TLS reaches a simulated cloud that is started beside it, and every record is in its file', async () => {
  const folder = await aFolder();
  const cloud = await aCloud(folder, '--mqtts', '127.0.0.1:0', '--record', 'arrived.ndjson');
  const device = ['sim', 'device', '--product', 'FACE-T1', '--model', 'FT1', '--key-file', join(folder, 'product.key')];
  const outcome = await run([
    ...device,
    ...['--mqtts', cloud.addresses.mqtts!, '--ca', join(folder, 'gatehouse-sim-cloud', 'ca.pem')],
    ...['--count', '2', '--rate', '50', '--records', '5'],
  ]);
  expect(outcome).toMatchObject({ status: 0, stdout: '2 connected, said 10, acknowledged 10, said again 0\n' });
  const lines = (await readFile(join(folder, 'arrived.ndjson'), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(10);
});

test('lines on standard input cut the line, bring it back, and switch faults; SIGTERM ends it with its counts', async () => {
  const cloud = await aCloud(await aFolder(), '--mqtt', '127.0.0.1:0', '--http', '127.0.0.1:0');
  const login = () => fetch(`http://${cloud.addresses.http}/api/connect/X`, { method: 'POST', body: '{}' });
  const tell = async (line: string, answer: RegExp) => {
    cloud.child.stdin!.write(`${line}\n`);
    await until(`${line} is answered`, () => answer.test(cloud.said() + cloud.answered()));
  };
  await tell('cut', /the line is cut/);
  await expect(login()).rejects.toThrow();
  await tell('restore', /the line is back/);
  expect((await login()).status).toBe(406);
  await tell('fault refuse 0.5', /refuse strikes with a probability of 0.5/);
  await tell('fault nonsense', /write one of refuse, hang, drop, code/);
  await tell('stats', /"lineIsUp":true/);
  const ended = once(cloud.child, 'exit');
  cloud.child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test.each([
  [['sim', 'cloud', '--site', 'site.yaml'], /write where to listen/],
  [['sim', 'cloud', '--site', 'site.yaml', '--mqtt', 'nowhere'], /--mqtt "nowhere": write host:port/],
  [['sim', 'cloud', '--site', 'site.yaml', '--mqtt', '127.0.0.1:0', '--fault', 'drop=2'], /"2" is no probability/],
  [['sim', 'device', '--product', 'FACE-T1'], /write where to connect/],
  [['sim', 'device', '--mqtt', '127.0.0.1:1'], /--product is missing/],
])('%j is wrong usage, and says what to write', async (words, message) => {
  const outcome = await run(words, { cwd: await aFolder() });
  expect(outcome.status).toBe(2);
  expect(outcome.stderr).toMatch(message);
});
