import { createHash } from 'node:crypto';
import { request } from 'node:https';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { inAllLooks, patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { aUiBox, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';

const words = {
  'en-US': {
    ...{ addProduct: 'Add product', key: 'Product key', addAndApprove: 'Add and approve device' },
    ...{ letIn: 'Allow and approve', waits: /waiting for approval/, approve: /^Approve/ },
    ...{ otherSecret: /You signed with another secret/, seconds: /You signed the time in seconds/ },
  },
  'zh-CN': {
    ...{ addProduct: '添加产品', key: '产品密钥', addAndApprove: '添加并批准该设备' },
    ...{ letIn: '允许接入并批准', waits: /待批准/, approve: /^批准/ },
    ...{ otherSecret: /您用的密钥不对/, seconds: /您签名用的时间是秒/ },
  },
} as const;

/** Both languages, a large screen and a phone. */
const looksOfCi = [
  ['en-US', 1280],
  ['zh-CN', 390],
] as const;
const looks = inAllLooks
  ? ([...looksOfCi, ['zh-CN', 1280], ['en-US', 820], ['zh-CN', 820], ['en-US', 390]] as const)
  : looksOfCi;

/** Both languages at the three widths that integrators are promised. */
const looksOfIntegrators = (['en-US', 'zh-CN'] as const).flatMap(locale =>
  ([390, 1280, 1920] as const).map(width => [locale, width] as const),
);

/** Of a product that the box does not know. */
const stranger = {
  ...{ product: 'GATE-X1', productKey: 'key-of-the-gates', model: 'GX1', firstSerial: 'K0001', count: 1 },
  retryMs: () => 300,
};
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

const call = (box: BoxProcess, path: string, headers: Record<string, string>, body?: string): Promise<void> =>
  new Promise((resolve, reject) => {
    request(
      `${urlOf(box)}${path}`,
      { method: body === undefined ? 'GET' : 'POST', headers, rejectUnauthorized: false },
      answer => answer.resume().on('end', resolve),
    )
      .on('error', reject)
      .end(body);
  });

suiteWithBrowser('from Today', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const signedIn = async (box: BoxProcess, name: string, locale: 'en-US' | 'zh-CN', width: number) => {
    const page = await browser.page(urlOf(box), { locale, width });
    await page.goto('/');
    await enterAs(name, page);
    await page.locator('.rail').waitFor();
    let clicks = 0;
    const click = async (what: Locator) => {
      clicks++;
      await what.click();
    };
    return { page, click, clicks: () => clicks };
  };
  const isSound = async (page: Page) => {
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  };
  const deviceAt = async (page: Page, id: string) =>
    page.evaluate<{ state?: string; people_data?: string }>(
      `fetch('/admin/v1/device-list?search=${id}').then(answer => answer.json()).then(page => page.rows[0] ?? {})`,
    );
  const picture = async (page: Page, name: string) => {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
  };

  test.each(looks)(
    "a device is let in and its people's data approved in three clicks: %s, %d wide",
    async (locale, width) => {
      await using box = await aUiBox();
      await using _refused = await terminalsAt(box, stranger);
      const { page, click, clicks } = await signedIn(box, 'mei', locale, width);
      const text = words[locale];
      await click(page.getByRole('link', { name: 'GATE-X1_K0001' }));
      await click(page.getByRole('button', { name: text.addProduct, exact: true }));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(text.key).fill(stranger.productKey);
      await isSound(page);
      await picture(page, `adopt-${locale}-${width}`);
      await click(dialog.getByRole('button', { name: text.addAndApprove }));
      await dialog.waitFor({ state: 'detached' });
      await expect
        .poll(() => deviceAt(page, 'GATE-X1_K0001'), patient)
        .toMatchObject({ state: 'online', people_data: 'allowed' });
      expect(clicks()).toBe(3);
      await isSound(page);
    },
  );

  test('a device that comes in between its product and its approval is approved', async () => {
    await using box = await aUiBox();
    await using _refused = await terminalsAt(box, stranger);
    const { page } = await signedIn(box, 'mei', 'en-US', 820);
    const text = words['en-US'];
    const device = () => deviceAt(page, 'GATE-X1_K0001');
    await page.route('**/admin/v1/devices/GATE-X1_K0001', async route => {
      if (route.request().method() === 'PUT')
        await expect.poll(device, patient).toMatchObject({ state: 'online', people_data: 'waits' });
      await route.continue();
    });
    await page.getByRole('link', { name: 'GATE-X1_K0001' }).click();
    await page.getByRole('button', { name: text.addProduct, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(text.key).fill(stranger.productKey);
    await dialog.getByRole('button', { name: text.addAndApprove }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(device, patient).toMatchObject({ state: 'online', people_data: 'allowed' });
  });

  test('one beyond the limit of new devices is let in and approved in three clicks, one that waits in two', async () => {
    await using box = await aUiBox({ admission: { new_devices_per_hour: 1 } });
    await using _first = await terminalsAt(box, { firstSerial: 'A0001', count: 1 });
    const { page, click, clicks } = await signedIn(box, 'mei', 'en-US', 390);
    const text = words['en-US'];
    await expect.poll(() => deviceAt(page, 'A0001'), patient).toMatchObject({ state: 'online', people_data: 'waits' });
    await using _second = await terminalsAt(box, { firstSerial: 'B0001', count: 1, retryMs: () => 300 });
    await click(page.getByRole('link', { name: text.waits }));
    await click(page.getByRole('button', { name: text.approve }).first());
    await expect.poll(() => deviceAt(page, 'A0001'), patient).toMatchObject({ people_data: 'allowed' });
    expect(clicks()).toBe(2);
    await page.goto('/');
    await click(page.getByRole('link', { name: 'FACE-T1_B0001' }));
    await click(page.getByRole('button', { name: text.letIn }));
    await isSound(page);
    await click(page.getByRole('dialog').getByRole('button', { name: text.letIn }));
    await expect
      .poll(() => deviceAt(page, 'B0001'), patient)
      .toMatchObject({ state: 'online', people_data: 'allowed' });
    expect(clicks()).toBe(2 + 3);
  });

  test.each(looksOfIntegrators)(
    "a refused caller's mistake is understood in one click, of both APIs: %s, %d wide",
    async (locale, width) => {
      await using box = await aUiBox(
        {},
        {
          attendance_callers: [{ app_key: 'payroll', app_secret: 'secret-of-payroll', name: 'Payroll' }],
          apps: [{ app_id: 'hr-portal', app_key: 'key-of-the-portal', name: 'HR portal' }],
        },
      );
      const now = String(Date.now());
      const path = '/v2.0/employee/query';
      const head = { 'App-Key': 'payroll', 'App-Timestamp': now };
      await call(box, path, { ...head, 'App-Sig': md5(`${path}${now}payrollanother`) }, '{}');
      await call(box, '/api/1.0.0/holiday', {
        ...{ app_id: 'hr-portal', timestamp: now, nonce: 'abcdef' },
        sig: md5(`app_id=hr-portal&app_key=key-of-the-portal&nonce=abcdef&timestamp=${now.slice(0, 10)}`),
      });
      const text = words[locale];
      for (const [caller, mistake, differs] of [
        ['payroll', text.otherSecret, 'App-Secret'],
        ['hr-portal', text.seconds, 'timestamp'],
      ] as const) {
        const { page, click, clicks } = await signedIn(box, 'li', locale, width);
        // Today says already what is wrong; the click shows where, in both strings.
        await page.getByText(mistake).first().waitFor();
        if (caller === 'payroll') await isSound(page);
        await click(page.getByRole('link', { name: caller }));
        const shown = page.locator('article.refused-call');
        await shown.getByText(mistake).waitFor();
        // The last column is what is expected.
        expect(await shown.locator('.differs .part-name').last().textContent()).toContain(differs);
        if (caller === 'hr-portal') expect(await shown.locator('mark').allTextContents()).toEqual(['', now.slice(10)]);
        expect(await shown.count()).toBe(1);
        const sides = await Promise.all(
          (await shown.locator('.signed-strings section').all()).map(one => one.boundingBox()),
        );
        const areBeside = sides[0]!.y === sides[1]!.y;
        // On a phone one is below the other.
        expect(areBeside).toBe(width > 600);
        expect(clicks()).toBe(1);
        await isSound(page);
        await picture(page, `caller-${caller}-${locale}-${width}`);
        await page.context().close();
      }
    },
  );
});
