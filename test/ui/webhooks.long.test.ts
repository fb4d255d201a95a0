import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const words = {
  'en-US': {
    ...{ menu: 'More', page: 'Integrations', add: 'Add a webhook', go: 'Add', close: 'Close' },
    ...{ deliveries: 'Recent deliveries of payroll', what: 'Check-ins: 1', test: 'Send a test: payroll' },
    ...{ tested: /^Test delivered: HTTP 200 in [\d,]+ ms$/, failed: 'the receiver answers HTTP 503' },
    ...{ resend: /^Resend/, pause: 'Pause payroll', paused: 'payroll paused. Events are queued.' },
    ...{ resume: 'Resume payroll', edit: 'Edit payroll', save: 'Save', newSecret: 'Replace the secret' },
    ...{ remove: 'Delete payroll', removeGo: 'Delete', removed: 'payroll deleted', fixed: /Set in the config file/ },
  },
  'zh-CN': {
    ...{ menu: '更多', page: '系统对接', add: '添加 Webhook', go: '添加', close: '关闭' },
    ...{ deliveries: 'payroll 最近的推送', what: '打卡：1 条', test: '发送测试：payroll' },
    ...{ tested: /^测试已送达：HTTP 200，用时 [\d,]+ 毫秒$/, failed: '接收方返回 HTTP 503' },
    ...{ resend: /^重新发送/, pause: '暂停 payroll', paused: '已暂停 payroll，事件排队等待' },
    ...{ resume: '恢复 payroll', edit: '编辑 payroll', save: '保存', newSecret: '更换密钥' },
    ...{ remove: '删除 payroll', removeGo: '删除', removed: '已删除 payroll', fixed: /由配置文件设置/ },
  },
} as const;

/** Both languages at three widths, as many as the counts are promised for. */
const looks = (['en-US', 'zh-CN'] as const).flatMap(locale =>
  ([390, 1280, 1920] as const).map(width => [locale, width] as const),
);
const [phoneInChinese, screenInEnglish] = [looks[3]!, looks[1]!];

suiteWithBrowser('webhooks', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const signedIn = async (box: BoxProcess, path: string, name: string, look: object = {}) => {
    const page = await browser.page(urlOf(box), look);
    await page.goto(path);
    await enterAs(name, page);
    await page.locator('.rail').waitFor();
    return page;
  };
  const aTerminal = async (box: BoxProcess) => {
    const identity = { deviceId: 'FACE-T1_W0001', key: 'key-of-the-product' };
    const ca = await box.ask('trust', 'export', '--edition', 'slim');
    return new MqttTerminal(identity, `mqtts://${box.addresses.mqtts}`, { ca });
  };
  const isSound = async (page: Page, where: string) => {
    expect(await axeFindings(page), where).toEqual([]);
    const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(over, where).toBeLessThanOrEqual(0);
  };
  const picture = async (page: Page, name: string) => {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
  };

  /** From Today to the secret that is shown once. Answers with the page and its clicks. */
  const added = async (box: BoxProcess, receiver: WebhookReceiver, [locale, width]: (typeof looks)[number]) => {
    const text = words[locale];
    const page = await signedIn(box, '/', 'mei', { locale, width });
    let clicks = 0;
    const click = async (what: Locator) => {
      clicks++;
      await what.click();
    };
    if (width < 600) await click(page.getByRole('button', { name: text.menu }));
    await click(page.getByRole('link', { name: text.page, exact: true }));
    await click(page.getByRole('link', { name: 'Webhook' }));
    await click(page.getByRole('button', { name: text.add }));
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[name=name]').fill('payroll');
    await dialog.locator('input[name=url]').fill(await receiver.listen());
    await isSound(page, 'the dialog');
    await picture(page, `webhook-add-${locale}-${width}`);
    await click(dialog.getByRole('button', { name: text.go, exact: true }));
    receiver.secret = (await page.getByTestId('secret').textContent())!.trim();
    await isSound(page, 'the secret');
    await picture(page, `webhook-secret-${locale}-${width}`);
    await click(dialog.getByRole('button', { name: text.close }));
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(receiver.secret);
    const row = page.getByRole('table', { name: text.deliveries }).locator('tbody tr');
    return { text, page, dialog, row, clicks: () => clicks };
  };

  test.each(looks)(
    'an integrator sees the first delivery six clicks from Today at most: %s, %d wide',
    async (...look) => {
      await using receiver = new WebhookReceiver();
      await using box = await aUiBox();
      const terminal = await aTerminal(box);
      const { text, row, clicks } = await added(box, receiver, look);
      await terminal.say('device');
      await row.getByText(text.what).waitFor();
      await row.getByText('HTTP 200').waitFor();
      expect(clicks()).toBeLessThanOrEqual(6);
      expect(receiver.calls).toMatchObject([{ isSigned: true }]);
      await terminal.end();
    },
  );

  test.each([screenInEnglish, phoneInChinese])(
    'a webhook is tested, resent, paused, given a new secret and deleted: %s, %d wide',
    async (...look) => {
      await using receiver = new WebhookReceiver();
      await using box = await aUiBox();
      const terminal = await aTerminal(box);
      const { text, page, dialog, row } = await added(box, receiver, look);
      await page.getByRole('button', { name: text.test }).click();
      await page.getByText(text.tested).waitFor();
      receiver.status = 503;
      await terminal.say('device');
      await row.getByText(text.failed).waitFor();
      await isSound(page, 'the deliveries');
      await picture(page, `webhook-${look[0]}`);
      receiver.status = 200;
      await row.filter({ hasText: text.failed }).getByRole('button', { name: text.resend }).click();
      await until('it has come', () => receiver.taken.length === 1);
      await page.getByRole('button', { name: text.pause }).click();
      await page.getByText(text.paused).waitFor();
      await page.getByRole('button', { name: text.resume }).waitFor();
      await page.getByRole('button', { name: text.edit }).click();
      await dialog.getByLabel(text.newSecret).check();
      await isSound(page, 'the dialog to edit');
      await dialog.getByRole('button', { name: text.save }).click();
      await page.getByTestId('secret').waitFor();
      await dialog.getByRole('button', { name: text.close }).click();
      await page.getByRole('button', { name: text.remove }).click();
      await dialog.getByRole('button', { name: text.removeGo, exact: true }).click();
      await page.getByText(text.removed).waitFor();
      await terminal.end();
    },
  );

  test('a viewer sees what the config fixes, and no buttons', async () => {
    const secret = `whsec_${Buffer.from('a secret of 24 bytes or more').toString('base64')}`;
    const hook = { name: 'till', url: 'http://127.0.0.1:9/hook', secret, kinds: ['checkins'] };
    await using box = await aUiBox({ events: { webhooks: [hook] } });
    const page = await signedIn(box, '/integrations?tab=webhooks', 'li');
    await page.getByText('Check-ins → 127.0.0.1:9').waitFor();
    await page.getByText(words['en-US'].fixed).waitFor();
    expect(await page.locator('main button:not(.search-button)').count()).toBe(0);
  });
});
