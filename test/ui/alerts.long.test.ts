import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aMailServer, mailPassword, mailUser, readMail, suiteWithMail } from '../support/mail-server.ts';
import type { BoxProcess } from '../support/program.ts';
import { aUiBox, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

async function signIn(page: Page, name: string): Promise<void> {
  await enterAs(name, page);
  await page.getByRole('navigation').first().waitFor();
}

suiteWithBrowser('the page of alerts', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const opened = async (box: BoxProcess, path: string, name = 'mei', look = {}) => {
    const page = await browser.page(urlOf(box), look);
    await page.goto(path);
    await signIn(page, name);
    return page;
  };

  suiteWithMail('with a mail server', () => {
    test('a channel is set up in one dialog, a test says why it fails and then arrives; the password is never shown', async () => {
      await using server = await aMailServer();
      await using box = await aUiBox({ upstream: { ca: `file:${server.caFile}` } });
      const page = await opened(box, '/system/alerts');
      await page.getByText('No notification channels.').waitFor();
      await page.getByRole('button', { name: 'Add channel' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Mail server').fill('127.0.0.1');
      await dialog.getByLabel('Port').fill(String(server.port));
      await dialog.getByLabel('User').fill(mailUser);
      await dialog.getByLabel('Password').fill('wrong-password');
      await dialog.getByLabel('Sender').fill(mailUser);
      await dialog.getByLabel('Recipients').fill('nobody');
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText(/mail\.to\.0: not a mail address/).waitFor();
      await dialog.getByLabel('Recipients').fill('mei@plant.example, li@plant.example');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved', { exact: true }).waitFor();

      await page.getByRole('button', { name: 'Send test by mail' }).click();
      await page.getByText(/Test by mail failed: .*refuses the password/).waitFor();
      await page.getByRole('button', { name: 'Edit mail' }).click();
      expect(await dialog.getByLabel('Password').inputValue()).toBe('');
      await dialog.getByLabel('Password').fill(mailPassword);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Send test by mail' }).click();
      await page.getByText('Test delivered by mail').waitFor();
      const mail = await until('the mail is there', () => server.mails[0]);
      expect(mail.to).toEqual(['mei@plant.example', 'li@plant.example']);
      expect(readMail(mail).headers.subject).toBe('Test message of Plant 4');

      // Saved once more with the password left empty: it is kept.
      await page.getByRole('button', { name: 'Edit mail' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Send test by mail' }).click();
      await until('another mail is there', () => server.mails[1]);
      const settings = await (await page.request.get('/admin/v1/alerts/settings')).text();
      expect(settings).not.toContain(mailPassword);
      expect(await axeFindings(page)).toEqual([]);
    });
  });

  test('a silent device is on Today and on the page, in both languages and on a phone; what the config says is fixed', async () => {
    await using box = await aUiBox({
      alerts: {
        ...{ wait_seconds: 0, rules: { silent: { minutes: 0 } } },
        wecom: { url: 'http://127.0.0.1:9/cgi-bin/webhook/send?key=a-secret-key' },
      },
    });
    const terminals = await terminalsAt(box, { count: 1, recordsMax: 1 });
    await terminals.whenIdle();
    await terminals[Symbol.asyncDispose]();
    const page = await opened(box, '/');
    await page.getByText('FACE-T1_A0001 is offline').first().waitFor();
    for (const look of [
      {},
      { width: 390 },
      { locale: 'zh-CN' },
      { locale: 'zh-CN', width: 390, dark: true },
    ] as const) {
      const other = await opened(box, '/system/alerts', 'mei', look);
      const isChinese = 'locale' in look;
      await other
        .getByText(isChinese ? 'FACE-T1_A0001 已离线' : 'FACE-T1_A0001 is offline')
        .first()
        .waitFor();
      await other
        .getByText(isChinese ? '由配置文件指定' : 'set by the config file')
        .first()
        .waitFor();
      expect(await axeFindings(other)).toEqual([]);
      const wide = await other.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect(wide).toBeLessThanOrEqual(0);
    }
    await page.goto('/system/alerts');
    await page.getByLabel('Disk: Threshold').fill('70');
    expect(await page.getByLabel('Device offline: Delay (min)').isDisabled()).toBe(true);
    await page.getByLabel('Quiet hours from').fill('22:00');
    await page.getByLabel('Quiet hours to').fill('06:30');
    await page.getByRole('button', { name: 'Save' }).click();
    const settings = async () => (await page.request.get('/admin/v1/alerts/settings')).json();
    await until('it is stored', async () => (await settings()).rules.disk.at === 70);
    expect(await settings()).toMatchObject({
      chosen: { quiet_hours: '22:00-06:30', rules: { disk: { at: 70 } } },
      in_force: { wecom: { url: null } },
      fixed: expect.arrayContaining(['wecom', 'rules.silent', 'wait_seconds']),
    });
    await page.getByRole('button', { name: 'Mute for 1 h' }).click();
    await page.getByText(/^Muted until /).waitFor();
    const viewer = await opened(box, '/system/alerts', 'li');
    await viewer.getByText('FACE-T1_A0001 is offline').first().waitFor();
    expect(await viewer.getByRole('button', { name: /test|Add channel|Mute|Save/ }).count()).toBe(0);
  });
});
