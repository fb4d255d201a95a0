import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import mqtt from 'mqtt';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Look, patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';

const path = '/integrations?tab=programs';

/** A port on which another program listens. */
async function aTakenPort(): Promise<{ readonly port: number } & Disposable> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => void server.close() };
}

suiteWithBrowser("the site's own programs", () => {
  let browser: TestBrowser;
  let box: BoxProcess;
  beforeAll(async () => {
    browser = await TestBrowser.open();
    box = await aUiBox({ listen: { events: '127.0.0.1:0' } });
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
  });

  const signedIn = async (name: string, look: Look = {}, at = box) => {
    const page = await browser.page(urlOf(at), look);
    await page.goto(path);
    await enterAs(name, page);
    await page.locator('.rail').waitFor();
    return page;
  };
  const login = (name: string, token: string) =>
    mqtt.connectAsync(`mqtt://${box.addresses.events}`, { username: name, password: token, reconnectPeriod: 0 });
  const rowOf = (page: Page, name: string) => page.locator('tbody tr').filter({ hasText: name });

  test('a program is added with a token that is shown once, with a line that works; then its token ends', async () => {
    const page = await signedIn('mei');
    await page.getByRole('button', { name: 'Add subscriber' }).click();
    await page.getByLabel('Name').fill('wall display');
    await page.getByLabel('Check-ins').check();
    await page.getByLabel('Action codes').fill('3001, open');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Enter action codes as numbers').waitFor();
    await page.getByLabel('Action codes').fill('3001, 3002');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Only letters, digits').waitFor();
    await page.getByLabel('Name').fill('wall');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const token = (await page.getByTestId('secret').textContent())!.trim();
    const line = (await page.getByTestId('line').textContent())!.trim();
    const [host, port] = box.addresses.events!.split(':');
    expect(line).toBe(`mosquitto_sub -h ${host} -p ${port} -u wall -P ${token} -t 'gatehouse/v1/checkins/#' -v`);
    await page.getByRole('button', { name: 'Close' }).click();
    const row = rowOf(page, 'wall');
    await row.getByText(/^Check-ins, Device connections/).waitFor();
    await row.getByText('personal data').waitFor();
    await row.getByText('Sends actions 3001, 3002').waitFor();
    await row.getByText('Offline').waitFor();
    expect(await page.content()).not.toContain(token);

    const client = await login('wall', token);
    await row.getByText('Connected', { exact: true }).waitFor();
    await client.subscribeAsync('gatehouse/v1/access/#').catch(() => {});
    await row.getByText(/May not subscribe to access\/#: its token allows checkins\/#, .*Make a new token/).waitFor();

    await page.getByRole('button', { name: 'Revoke: wall' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Token of wall revoked').waitFor();
    await expect.poll(() => client.connected, patient).toBe(false);
    await expect(login('wall', token)).rejects.toThrow('Not authorized');
    await page
      .getByRole('table', { name: 'Rejected logins without a valid token' })
      .getByText('The token is not known')
      .waitFor();
  });

  test('a viewer sees the programs and no buttons', async () => {
    await box.ask(
      'token',
      'create',
      '--role',
      'events',
      '--name',
      'canteen-till',
      '--topics',
      'line,checkins/FACE-T1_A0001',
    );
    const page = await signedIn('li');
    await rowOf(page, 'canteen-till').getByText('Cloud connection, checkins/FACE-T1_A0001').waitFor();
    expect(await page.locator('main button:not(.search-button)').count()).toBe(0);
  });

  test.each<[Look & { say: string }]>([
    [{ width: 1280, locale: 'en-US', say: 'Add subscriber' }],
    [{ width: 360, locale: 'zh-CN', say: '添加订阅', dark: true }],
    [{ width: 1280, locale: 'zh-CN', say: '添加订阅' }],
  ])('nothing goes sideways and axe finds nothing, also in the dialogs (%o)', async ({ say, ...look }) => {
    const name = `display-${look.width}-${look.locale}`;
    const page = await signedIn('mei', look);
    const isSound = async (where: string) => {
      expect(await axeFindings(page), where).toEqual([]);
      expect(
        await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
        where,
      ).toBeLessThanOrEqual(0);
    };
    await page.getByRole('button', { name: say }).click();
    await page.locator('dialog input[name=name]').fill(name);
    await page.locator('dialog input[name=hears-checkins]').check();
    await isSound('the dialog');
    await page.locator('dialog button[type=submit]').click();
    const token = (await page.getByTestId('secret').textContent())!.trim();
    await isSound('the token');
    await page.locator('dialog button.act').last().click();
    const client = await login(name, token);
    await client.subscribeAsync('gatehouse/v1/logs/#').catch(() => {});
    await login('stranger', 'wrong').catch(() => {});
    const refused = look.locale === 'zh-CN' ? '不能订阅 logs/#' : 'May not subscribe to logs/#';
    await rowOf(page, name).getByText(refused).waitFor();
    await isSound('the list');
    await client.endAsync();
  });

  test.each([
    {
      width: 1280,
      locale: 'en-US',
      ...{ change: 'Change the broker', test: 'Test the broker' },
      ...{ here: 'Apps on this gateway, without TLS', off: 'Nobody: the broker is off', go: 'Save and restart' },
      ...{ saved: 'Saved, in use', found: 'A client can connect.', taken: 'Another program uses this port.' },
      ...{ isOff: /^The event broker is off/, fixed: /^Set by .*: listen\.events/ },
    },
    {
      width: 390,
      locale: 'zh-CN',
      ...{ change: '修改事件服务', test: '测试事件服务' },
      ...{ here: '本网关上的应用，不使用 TLS', off: '不允许：关闭事件服务', go: '保存并重新启动' },
      ...{ saved: '已保存并生效', found: '客户端可以连接。', taken: '此端口已被其他程序占用。' },
      ...{ isOff: /^事件服务已关闭/, fixed: /^由 .* 指定（listen\.events）/ },
    },
  ] as const)(
    'the broker is opened, tested and closed on the page ($locale, $width)',
    async ({ width, locale, ...text }) => {
      const sound = async (page: Page, where: string) => {
        expect(await axeFindings(page), where).toEqual([]);
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(over, where).toBeLessThanOrEqual(0);
        if (process.env.PICTURES)
          await page.screenshot({ path: `${process.env.PICTURES}/broker-${where}-${locale}.png`, fullPage: true });
      };
      const fixed = await signedIn('mei', { width, locale });
      await fixed.getByText(text.fixed).waitFor();
      expect(await fixed.getByRole('button', { name: text.change }).count()).toBe(0);
      await fixed.close();
      // Its ports stay the same when it restarts in place.
      await using own = await aUiBox();
      await own.stop();
      await own.start();
      using other = await aTakenPort();
      const page = await signedIn('mei', { width, locale }, own);
      const dialog = page.getByRole('dialog');
      const save = async (place: string, port?: number) => {
        await page.getByRole('button', { name: text.change }).click();
        await dialog.locator('select').selectOption({ label: place });
        if (port !== undefined) await dialog.locator('input[name=port]').fill(String(port));
        await sound(page, 'dialog');
        await dialog.getByRole('button', { name: text.go }).click();
      };
      await page.getByText(text.isOff).waitFor();
      await save(text.here, other.port);
      await dialog.getByText(text.taken).waitFor();
      other[Symbol.dispose]();
      await dialog.getByRole('button', { name: text.go }).click();
      await page.getByText(text.saved).waitFor();
      await page.getByRole('button', { name: text.test }).click();
      await page.getByText(text.found).waitFor();
      await sound(page, 'open');
      await save(text.off);
      await page.getByText(text.isOff).waitFor();
    },
  );
});
