import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostKeyOf } from '../../src/backups/ssh-key.ts';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { SftpServer } from '../support/sftp-server.ts';
import { suiteNeeding } from '../support/tools.ts';
import { adminPassword, aUiBox, urlOf } from '../support/ui-box.ts';

suiteWithBrowser('backups by schedule', () => {
  let browser: TestBrowser;
  let folder: string;
  beforeAll(async () => {
    browser = await TestBrowser.open();
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-target-'));
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('name a folder, back up now, and see on Today that it was read back and restored', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await page.goto('/system/backup');
    await page.locator('input[name=name]').fill('mei');
    await page.locator('input[name=password]').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Create recovery key' }).click();
    await page.getByText('Shown only once.').waitFor();
    await page.getByLabel('Folder').fill(join(folder, 'absent'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText('absent is not there (ENOENT): make the folder there, or name another.').waitFor();
    await page.getByLabel('Folder').fill(folder);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(folder, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Back up now' }).click();
    const row = page.getByRole('table', { name: 'Automatic backups' }).getByRole('row').nth(1);
    await row.getByText('Good', { exact: true }).waitFor();
    expect((await readdir(folder)).filter(name => name.endsWith('.gh'))).toHaveLength(1);
    await page.getByText('Copies: Folder (1)').click();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
    }
    await page.getByLabel('Upstream gateway').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'Upstream gateway' }).waitFor();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText('This box sends its records to no Gatehouse: set upstream.mode: batch').waitFor();
    expect(await page.getByLabel('Upstream gateway').isChecked()).toBe(true);
    await page.getByLabel('Upstream gateway').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'Upstream gateway' }).waitFor({ state: 'detached' });
    await page.goto('/');
    await page.getByRole('link', { name: /verified .*restore tested .*next/ }).waitFor();
    expect(await box.ask('status')).toMatch(/^backup {3}made .*read back from its target and verified.*restore tried/m);
  });
});

suiteWithBrowser('the SFTP server of the backups', () => {
  suiteNeeding('sshd', 'openssh-server', 'with a real sshd', () => {
    test('is named, compared and confirmed on the page, and then gets a backup', async () => {
      await using browser = await TestBrowser.open();
      await using server = await SftpServer.start();
      await using box = await aUiBox();
      const page = await browser.page(urlOf(box));
      await page.goto('/system/backup');
      await page.locator('input[name=name]').fill('mei');
      await page.locator('input[name=password]').fill(adminPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Create recovery key' }).click();
      await page.getByText('Shown only once.').waitFor();
      const { host, port, user, folder } = server.settings;
      await page.getByLabel('Server', { exact: true }).fill(host);
      await page.getByLabel('Port', { exact: true }).fill(String(port));
      await page.getByLabel('User', { exact: true }).fill(user);
      await page.getByLabel('Path on the server').fill(folder);
      await page.getByRole('button', { name: 'Save' }).click();
      await server.authorize(await page.getByLabel('Public key of the gateway').inputValue());
      await page.getByRole('button', { name: 'Get server key' }).click();
      await page.getByText(hostKeyOf(await server.hostKey()).fingerprint).waitFor();
      await looked(page);
      await page.getByRole('button', { name: 'Keys match, trust this server' }).click();
      await page.getByText('Login and write test OK').waitFor();
      await page.getByRole('button', { name: 'Back up now' }).click();
      const row = page.getByRole('table', { name: 'Automatic backups' }).getByRole('row').nth(1);
      await row.getByText('Good', { exact: true }).waitFor();
      expect((await readdir(folder)).filter(name => name.endsWith('.gh'))).toHaveLength(1);
      await server.newHostKey();
      await server.restart();
      await page.getByRole('button', { name: 'Test connection' }).click();
      await page.getByText('The server key has changed').waitFor();
      await looked(page);
    });
  });
});

/** Without findings of axe, on a desk and on a phone. */
async function looked(page: Page): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await axeFindings(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
