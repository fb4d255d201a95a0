import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { adminPassword, aUiBox, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

/** A port of this machine where nothing listens. */
async function deadPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function signIn(page: Page, name: string, password = adminPassword): Promise<void> {
  await page.locator('input[name=name]').fill(name);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').first().waitFor();
}

const audit = async (page: Page, who: string): Promise<{ action: string; subject: string; outcome: string }[]> =>
  (await (await page.request.get(`/admin/v1/audit?actor=${encodeURIComponent(who)}`)).json()).rows;

suiteWithBrowser('the system page', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const opened = async (box: BoxProcess, path: string, name = 'mei') => {
    const page = await browser.page(urlOf(box));
    await page.goto(path);
    await signIn(page, name);
    return page;
  };

  test('make a user, who signs in with another browser and may not change anything', async () => {
    await using box = await aUiBox();
    const page = await opened(box, '/system/users');
    await page.locator('.sentence', { hasText: 'Users (3) · 1 administrator' }).waitFor();
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('zhao');
    await dialog.getByLabel('Password').fill('short');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('The password needs at least 8 characters.').waitFor();
    await dialog.getByLabel('Password').fill('a-password-of-zhao-s');
    // "zhao" stands in it.
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('The password must not contain the name.').waitFor();
    await dialog.getByLabel('Password').fill('nobody-guesses-this');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('zhao added').waitFor();
    await page.getByRole('table', { name: 'Users', exact: true }).getByRole('row', { name: 'zhao' }).waitFor();

    const other = await browser.page(urlOf(box));
    await other.goto('/system/users');
    await signIn(other, 'zhao', 'nobody-guesses-this');
    await other.locator('.sentence', { hasText: 'Users (4)' }).waitFor();
    expect(await other.getByRole('button', { name: 'Add user' }).count()).toBe(0);
    const origin = { origin: urlOf(box) };
    for (const [method, path] of [
      ['POST', '/tokens'],
      ['PUT', '/users/zhao'],
      ['POST', '/doctor'],
      ['POST', '/restore'],
      ['GET', '/backup/download'],
      ['POST', '/reset-all'],
    ] as const) {
      const answer = await other.request.fetch(`/admin/v1${path}`, { method, headers: origin });
      expect([path, answer.status()]).toEqual([path, 403]);
    }
    const overview = await (await other.request.get('/admin/v1/system')).json();
    expect(overview.data_dir).toBeNull();

    await page.reload();
    await page.getByRole('button', { name: '1 browser: Sessions of zhao' }).click();
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('1 session ended').waitFor();
    await other.getByRole('link', { name: 'Status' }).click();
    await other.getByText('Your session has ended. Sign in again.').waitFor();
    expect([...page.foreign, ...other.foreign]).toEqual([]);
  });

  test('everybody changes the own password, and nobody else’s', async () => {
    await using box = await aUiBox();
    const page = await opened(box, '/system/users', 'li');
    const fill = async (old: string, wanted: string) => {
      await page.getByLabel('Current password').fill(old);
      await page.getByLabel(/^New password/).fill(wanted);
      await page.getByLabel('Confirm new password').fill(wanted);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await fill('not-the-old-one', 'nobody-guesses-this');
    await page.getByText('Current password is wrong.').waitFor();
    await fill(adminPassword, '1234567890');
    await page.getByText('This password is easy to guess.').waitFor();
    await fill(adminPassword, 'nobody-guesses-this');
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await signIn(page, 'li', 'nobody-guesses-this');
    expect((await audit(page, 'li')).filter(one => one.action === 'POST /me/password')).toMatchObject([
      { outcome: 'done', subject: 'li' },
      { outcome: 'refused', subject: 'wrong name or password' },
    ]);
  });

  test('run the network test with a dead upstream: the chain stops at the broken link and says what to do', async () => {
    const port = await deadPort();
    await using box = await aUiBox({
      upstream: { mode: 'gateway', device_mqtt: `mqtts://127.0.0.1:${port}` },
      box: { device_sn: 'A0001', access_key: 'key-of-the-box' },
    });
    const page = await opened(box, '/system/network');
    await page.getByRole('button', { name: 'Test network' }).click();
    await page
      .locator('.sentence', { hasText: `Cloud connection fails at: Port (mqtts://127.0.0.1:${port})` })
      .waitFor();
    await page.getByText(/^Done: \d+ checks$/).waitFor();
    const chain = page.getByRole('region', { name: `mqtts://127.0.0.1:${port}` }).getByRole('listitem');
    expect(await chain.allTextContents()).toEqual([
      expect.stringMatching(/Name server[\s\S]*OK/),
      expect.stringMatching(/Port[\s\S]*failed[\s\S]*Nothing listens on port[\s\S]*Check the port in the config/),
      expect.stringMatching(/Encryption[\s\S]*skipped/),
    ]);
    await page.getByRole('listitem').filter({ hasText: 'Gateway login' }).filter({ hasText: 'skipped' }).waitFor();
    await page.getByRole('button', { name: '中文' }).click();
    await page.locator('.sentence', { hasText: '云平台连接中断于：端口' }).waitFor();
  });

  test('make a backup, lose the data, restore it; a damaged one changes nothing', async () => {
    await using box = await aUiBox();
    // A second start has the ports that the first one picked, as a box in a plant has.
    await box.stop();
    await box.start();
    await box.ask('token', 'create', '--role', 'viewer', '--name', 'payroll');
    const page = await opened(box, '/system/backup');
    await page.locator('.sentence', { hasText: 'Not backed up' }).waitFor();
    await page.getByRole('button', { name: 'Create recovery key' }).click();
    const key = (await page.locator('p.mono', { hasText: 'AGE-SECRET-KEY-1' }).textContent())!;
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Create and download backup' }).click();
    const file = join(box.folder, 'saved.gh');
    await (await download).saveAs(file);
    await page.locator('.sentence', { hasText: 'Last backup' }).waitFor();
    expect((await (await page.request.get('/admin/v1/today')).json()).status.backup.last_at).toBeGreaterThan(0);

    await box.ask('token', 'rm', '1');
    expect(await box.ask('token', 'list')).not.toContain('payroll');

    const restore = async (path: string, typed = key) => {
      await page.getByLabel('Backup file').setInputFiles(path);
      await page.getByLabel('Recovery key or passphrase').fill(typed);
      await page.getByRole('button', { name: 'Restore …' }).click();
      await page.getByRole('dialog').getByText('Replaces all records, people, accounts and keys').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Replace everything' }).click();
    };
    const damaged = Buffer.from(await readFile(file));
    damaged[damaged.length >> 1]! ^= 1;
    await writeFile(join(box.folder, 'damaged.gh'), damaged);
    await restore(join(box.folder, 'damaged.gh'));
    await page.getByText('The backup is damaged. Nothing was changed.').waitFor();
    await writeFile(join(box.folder, 'holiday.jpg'), 'no backup at all');
    await restore(join(box.folder, 'holiday.jpg'));
    await page.getByText('This file is not a Gatehouse backup.').waitFor();
    await restore(file, '');
    await page.getByText('The backup is encrypted. Enter its recovery key or passphrase.').waitFor();
    expect(await box.ask('token', 'list')).not.toContain('payroll');

    await restore(file);
    await page.getByText(/^Restored as of 2\d{3}-/).waitFor();
    // The same process, ready once more.
    await expect.poll(() => box.stderr.match(/^ready /gm)?.length, patient).toBe(2);
    expect(await box.ask('token', 'list')).toContain('payroll');
    expect(box.alive).toBe(true);
    await page.getByText(/^Restored as of/).waitFor({ state: 'detached' });
    await page.locator('.sentence', { hasText: 'Last backup' }).waitFor();
    expect((await audit(page, 'mei')).map(one => one.action)).toContain('POST /restore');
  });

  test('reset the box: only with the name of the site, and then it starts over', async () => {
    await using box = await aUiBox();
    await writeFile(join(box.folder, 'site.yaml'), '');
    // A second start has the ports that the first one picked, as a box in a plant has.
    await box.stop();
    await box.start();
    const page = await opened(box, '/system/reset');
    await page.getByText('Backups are deleted too.').waitFor();
    await page.getByRole('button', { name: 'Reset gateway …' }).click();
    const { name } = (await (await page.request.get('/admin/v1/session')).json()).site;
    const field = page.getByLabel(`Type the site name ${name} to confirm`);
    await field.fill('another');
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await page.getByText('The site name does not match. Nothing was changed.').waitFor();
    await field.fill(name);
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await page.getByText('Deleting everything.').waitFor();
    await expect.poll(() => box.stderr.match(/^ready /gm)?.length, patient).toBe(2);
    await page.getByLabel('Setup code').waitFor();
    expect(await box.ask('user', 'list')).toContain('nobody yet');
  });

  test('an admin’s changes are in the audit log, found by person and by text', async () => {
    await using box = await aUiBox();
    const page = await opened(box, '/system/users');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Description').fill('payroll');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByText('Copy the token now.').waitFor();
    const token = await page.getByLabel('Access token', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Close' }).click();
    const status = await page.request.get('/admin/v1/status', { headers: { authorization: `Bearer ${token}` } });
    expect(status.status()).toBe(200);
    await page.getByRole('button', { name: 'Delete wang' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('wang deleted').waitFor();

    await page.getByRole('link', { name: 'Backup and audit' }).click();
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    const table = page.getByRole('table', { name: 'Audit log, newest first' });
    await table.getByRole('row').nth(1).getByText('removed a person who signs in').waitFor();
    await page.getByLabel('Person').fill('mei');
    await page.getByLabel('Contains').fill('payroll');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.locator('.sentence', { hasText: 'Actions of mei' }).waitFor();
    expect(page.url()).toMatch(/actor=mei&text=payroll$/);
    await expect.poll(() => table.getByRole('row').count(), patient).toBe(2);
    expect(await table.getByRole('row').nth(1).textContent()).toMatch(/mei\s*made a token\s*payroll/);
    // A link that was sent shows the same.
    await page.reload();
    await page.locator('.sentence', { hasText: 'Actions of mei' }).waitFor();
    expect(JSON.stringify(await audit(page, 'mei'))).not.toContain(token);
  });

  test('ten wrong passwords are slowed down, with a clear word and audit entries', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await page.goto('/');
    await page.locator('input[name=name]').fill('mei');
    const tried = async (password: string): Promise<number> => {
      await page.locator('input[name=password]').fill(password);
      const answered = page.waitForResponse(
        answer => answer.url().endsWith('/session') && answer.request().method() === 'POST',
      );
      await page.getByRole('button', { name: 'Sign in' }).click();
      return (await answered).status();
    };
    for (let guess = 0; guess < 5; guess++) expect(await tried(`guess-number-${guess}`)).toBe(401);
    // Each wrong one doubles the wait, so that however slow this browser is, one of them has to
    // wait.
    let guess = 5;
    await expect.poll(() => tried(`guess-number-${guess++}`), patient).toBe(429);
    await page.getByText(/^Too many failed attempts\. Try again in \d+ s\.$/).waitFor();
    // Others sign in as ever.
    await page.locator('input[name=password]').fill(adminPassword);
    await page.locator('input[name=name]').fill('li');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation').first().waitFor();
    const entries = (await audit(page, 'mei')).filter(one => one.action === 'sign in');
    // The others of the minute are counted, and become one entry when it is over.
    expect(entries[0]).toMatchObject({ subject: 'wrong name or password', outcome: 'refused' });
  });

  test('a change that a page of another site asks for is refused, and written down', async () => {
    await using box = await aUiBox();
    const page = await opened(box, '/system/about');
    await page.locator('.sentence', { hasText: /^Gatehouse \d/ }).waitFor();
    const [cookie] = await page.context().cookies();
    const asked = (headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const body = JSON.stringify({ name: 'stolen', role: 'admin' });
        const options = {
          method: 'POST',
          rejectUnauthorized: false,
          headers: { cookie: `${cookie!.name}=${cookie!.value}`, 'content-type': 'application/json', ...headers },
        };
        request(`${urlOf(box)}/admin/v1/tokens`, options, answer => resolve(answer.resume().statusCode!))
          .on('error', reject)
          .end(body);
      });
    expect(await asked({ origin: 'https://evil.example' })).toBe(403);
    expect(await asked({ origin: urlOf(box), 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await asked({})).toBe(403);
    expect(await box.ask('token', 'list')).toBe('none\n');
    const rows = (await (await page.request.get('/admin/v1/audit?text=another%20site')).json()).rows;
    // The others of the minute are counted, and become one entry when it is over.
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ action: 'POST /tokens', outcome: 'refused' });
    expect(await asked({ origin: urlOf(box) })).toBe(200);
  });

  test('a new box says what it wrote so far, and nothing yet of a day, a record or the life of a card', async () => {
    await using box = await aUiBox();
    await using _terminals = await terminalsAt(box, { count: 1, recordsMax: 3 });
    await until('they are stored', async () => (await box.export('checkins')).length > 0);
    const page = await opened(box, '/system');
    await page.getByText(/ written since /).waitFor();
    expect(await page.getByText('written per record').count()).toBe(0);
  });

  test('the way to the other tabs stays while the code of one is on its way', async () => {
    await using box = await aUiBox();
    const page = await opened(box, '/system');
    const held = Promise.withResolvers<void>();
    await page.route(/\/ui\/history-/, async route => {
      await held.promise;
      await route.continue();
    });
    const tabs = page.getByRole('navigation', { name: 'System sections' });
    await tabs.getByRole('link', { name: 'History', exact: true }).click();
    await tabs.locator('[aria-current]', { hasText: 'History' }).waitFor();
    await page.locator('.loading').waitFor({ state: 'attached' });
    held.resolve();
    await page.getByRole('group', { name: 'Time range' }).waitFor();
  });

  test('what to trust is there to be downloaded, and says its fingerprint', async () => {
    await using box = await aUiBox();
    const page = await opened(box, '/system/certificates', 'li');
    await page.locator('.sentence', { hasText: 'Certificate valid' }).waitFor();
    const shown = await page.locator('.fingerprint').first().textContent();
    const report = await (await page.request.get('/admin/v1/certificates')).json();
    expect(shown).toBe(report.ca.sha256);
    const pem = await (await page.request.get('/admin/v1/certificates/ca.pem')).text();
    expect(pem).toBe(await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8'));
    const der = await (await page.request.get('/admin/v1/certificates/ca.crt')).body();
    expect(pem.replace(/-----[^-]+-----|\s/g, '')).toBe(der.toString('base64'));
    const profile = await (await page.request.get('/admin/v1/certificates/gatehouse.mobileconfig')).text();
    expect(profile).toContain(`<data>${der.toString('base64')}</data>`);
    await page.getByRole('link', { name: 'Holidays' }).click();
    await page.getByRole('table', { name: 'Holidays of 2026' }).getByText('春节').waitFor();
  });
});
