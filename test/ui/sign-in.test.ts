import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { BoxProcess } from '../support/program.ts';
import { adminPassword, aUiBox, terminalsAt, urlOf } from '../support/ui-box.ts';

suiteWithBrowser('signing in', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('a new box offers nothing but its set-up: with the code that it printed, the first account is made', async () => {
    await using box = await BoxProcess.start({ site: { name: 'Plant 4' } }, {});
    const code = /^setup code: (\w{4}-\w{4})$/m.exec(box.stderr)![1]!;
    const page = await browser.page(urlOf(box));
    await page.goto('/');
    await page.getByLabel('Setup code').fill('AAAA-AAAA');
    await page.getByLabel('Your name').fill('mei');
    await page.getByLabel('New password').fill('short');
    await page.getByLabel('Confirm password').fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('Wrong setup code.').waitFor();
    await page.getByLabel('Setup code').fill(code.toLowerCase());
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('The password needs at least 8 characters.').waitFor();
    await page.getByLabel('New password').fill(adminPassword);
    await page.getByLabel('Confirm password').fill(adminPassword);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.locator('.sentence', { hasText: '4 steps left' }).waitFor();
    await page.getByRole('link', { name: 'Go to Today' }).click();
    await page.locator('.sentence', { hasText: 'No device is set up yet' }).waitFor();
    expect(page.foreign).toEqual([]);
    expect(JSON.parse(await box.ask('user', 'list', '--json'))).toMatchObject([{ name: 'mei', role: 'admin' }]);
  });

  test('a wrong password is reported; a right one opens the live page', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await page.goto('/');
    await page.getByLabel('Name').fill('mei');
    await page.getByLabel('Password').fill('wrong-password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong name or password.').waitFor();
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.sentence', { hasText: 'No device is set up yet' }).waitFor();
    const terminals = await terminalsAt(box);
    try {
      await page.getByText('2 of 2 online').waitFor();
      await page.getByRole('table', { name: 'Recent check-ins' }).getByRole('row').nth(3).waitFor();
    } finally {
      await terminals.stop();
    }
    expect(page.foreign).toEqual([]);
  });

  test('the language and the theme are chosen before and after signing in, and stay', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box), { locale: 'zh-CN' });
    await page.goto('/');
    await page.getByRole('heading', { name: '登录' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Theme: System' }).click();
    await page.getByRole('button', { name: 'Theme: Light' }).click();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  test('the keyboard alone makes the first account, moves between pages, and signs out', async () => {
    await using box = await BoxProcess.start({ site: { name: 'Plant 4' } }, {});
    const code = /^setup code: (\w{4}-\w{4})$/m.exec(box.stderr)![1]!;
    const page = await browser.page(urlOf(box));
    await page.goto('/');
    await page.getByLabel('Setup code').waitFor();
    const focused = () =>
      page.evaluate('(document.activeElement.name || document.activeElement.textContent || "").trim()');
    /**
     * Goes on with Tab until the focus is there; a focus that cannot be seen is found by the look
     * of it.
     */
    const tabTo = async (what: string) => {
      for (let step = 0; step < 40; step++) {
        if ((await focused()) === what) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`the keyboard does not come to ${what}`);
    };
    for (const [field, text] of [
      ['code', code],
      ['name', 'mei'],
      ['password', adminPassword],
      ['again', adminPassword],
    ] as const) {
      await tabTo(field);
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await page.locator('.sentence', { hasText: '4 steps left' }).waitFor();
    await page.locator('body').press('Tab');
    await tabTo('Devices');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/devices');
    await tabTo('Sign out');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
