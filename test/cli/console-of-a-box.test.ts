import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BoxProcess } from '../support/program.ts';
import { until } from '../support/until.ts';

test('the code of the label makes the first account, in any case of its letters, and is void then', async () => {
  await using box = await BoxProcess.start({ box: { setup_code: 'ABCD-2345' } }, {});
  expect(box.stderr).toContain('setup code: ABCD-2345\n');
  const ca = await box.ask('trust', 'export', '--edition', 'slim');
  const origin = `https://127.0.0.1:${box.port('https')}`;
  const make = (code: string, name: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', origin };
      const call = request(`${origin}/admin/v1/first-account`, { method: 'POST', ca, headers }, answer => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      call.on('error', reject);
      call.end(JSON.stringify({ code, name, password: 'correct horse battery' }));
    });
  expect(await make('ABCD-2346', 'mei')).toBe(401);
  expect(await make('abcd 2345', 'mei')).toBe(200);
  expect(await make('ABCD-2345', 'li')).toBe(409);
  await box.stop();
  await box.start();
  expect(box.stderr).not.toContain('setup code');
});

test('under systemd the box keeps the text for the console, readable by its owner alone, without the code once somebody has an account', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'));
  try {
    await using box = await BoxProcess.start({ box: { setup_code: 'abcd-2345' } }, {}, { RUNTIME_DIRECTORY: folder });
    const file = join(folder, 'issue');
    const shown = () => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return '';
      }
    };
    await until('the code on the console', () => shown().includes('setup code  abcd-2345'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(shown()).toContain(`https://127.0.0.1:${box.port('https')}`);
    const password = join(box.folder, 'mei.pw');
    writeFileSync(password, 'correct horse battery');
    await box.ask('user', 'add', 'mei', '--role', 'admin', '--password-file', password);
    await until('no code on the console', () => shown() !== '' && !shown().includes('setup code'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the console shows the new name of the site after a rename on the page Settings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-run-'));
  try {
    await using box = await BoxProcess.start({ box: { setup_code: 'ABCD-2345' } }, {}, { RUNTIME_DIRECTORY: folder });
    const ca = await box.ask('trust', 'export', '--edition', 'slim');
    const origin = `https://127.0.0.1:${box.port('https')}`;
    const ask = (method: string, path: string, body: object, cookie = '') =>
      new Promise<{ status: number; cookie: string }>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', origin, cookie };
        const call = request(`${origin}/admin/v1${path}`, { method, ca, headers }, answer => {
          answer.resume();
          resolve({
            status: answer.statusCode ?? 0,
            cookie: (answer.headers['set-cookie'] ?? []).map(one => one.split(';')[0]).join('; '),
          });
        });
        call.on('error', reject);
        call.end(JSON.stringify(body));
      });
    const account = { code: 'ABCD-2345', name: 'mei', password: 'correct horse battery' };
    const { cookie } = await ask('POST', '/first-account', account);
    expect((await ask('PUT', '/settings', { name: 'Harbour Mill' }, cookie)).status).toBe(200);
    const file = join(folder, 'issue');
    await until('the new name', () => existsSync(file) && readFileSync(file, 'utf8').includes('  Harbour Mill  '));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
