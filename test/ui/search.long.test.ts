import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Look, patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { aUiBox, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';

suiteWithBrowser('the search', () => {
  let browser: TestBrowser;
  let box: BoxProcess;
  beforeAll(async () => {
    browser = await TestBrowser.open();
    box = await aUiBox({}, { devices: [{ device_id: 'FACE-T1_A0001', name: 'Gate 3' }] });
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
  });

  const signedIn = async (name: string, to: string, look: Look = {}): Promise<Page> => {
    const page = await browser.page(urlOf(box), look);
    await page.goto(to);
    await enterAs(name, page);
    await page.locator('.rail').waitFor();
    return page;
  };
  const field = (page: Page) => page.getByRole('combobox', { name: /^(Search|搜索)$/ });
  const options = (page: Page) => page.getByRole('listbox', { name: /^(Search|搜索)$/ }).getByRole('option');

  /** The role of what has the focus, else its type. */
  const focused = (page: Page) =>
    page.evaluate<string>("document.activeElement.getAttribute('role') ?? document.activeElement.type");

  test('opens by / and Ctrl-K, is used with the keyboard alone, and gives the focus back', async () => {
    const page = await signedIn('mei', '/people');
    const before = page.getByLabel('Name, number or id').or(page.getByRole('searchbox')).first();
    await before.focus();
    await page.keyboard.type('a/b');
    expect(await before.inputValue(), 'typed, not a command').toBe('a/b');
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    expect(await focused(page)).toBe('combobox');
    await page.keyboard.type('gate 3');
    await options(page).filter({ hasText: 'FACE-T1_A0001' }).waitFor();
    expect(await field(page).getAttribute('aria-expanded')).toBe('true');
    expect(await field(page).getAttribute('aria-controls')).toBe('palette-list');
    await page.getByRole('dialog').getByRole('status').getByText('1 result').waitFor();
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page), patient).toBe('search');

    await page.locator('main').focus();
    await page.keyboard.press('/');
    await field(page).waitFor();
    await page.keyboard.type('sys');
    await options(page).filter({ hasText: 'Audit' }).waitFor();
    await page.keyboard.press('ArrowDown');
    const active = await field(page).getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/system');

    // What was chosen is the first thing next time, in this browser.
    await page.keyboard.press('/');
    await field(page).waitFor();
    expect(await page.getByRole('group', { name: 'Recent' }).getByRole('option').allTextContents()).toEqual(['System']);
    expect(await options(page).first().textContent()).toBe('System');
  });

  test('actions open their dialog, and nobody is offered what their role may not do', async () => {
    const page = await signedIn('li', '/');
    await page.keyboard.press('/');
    await field(page).waitFor();
    await field(page).fill('add');
    await options(page).first().waitFor({ state: 'detached' });
    await field(page).fill('reset');
    await page.getByText('No results').first().waitFor();
    await page.keyboard.press('Escape');

    const staff = await signedIn('wang', '/');
    await staff.keyboard.press('Control+k');
    await field(staff).fill('add emp');
    await options(staff).first().waitFor();
    await staff.keyboard.press('Enter');
    await staff.getByRole('dialog', { name: 'Add employee' }).waitFor();
    expect(new URL(staff.url()).search).toBe('');
  });

  test.each([
    ['en-US', 1280, 'why was K0001 refused', 'Why GATE-X1_K0001 is rejected'],
    ['zh-CN', 820, 'K0001 为什么被拒绝', 'GATE-X1_K0001 被拒绝的原因'],
    ['zh-CN', 390, 'k0001', 'GATE-X1_K0001 被拒绝的原因'],
    ['en-US', 390, 'k0001', 'Why GATE-X1_K0001 is rejected'],
  ] as const)(
    'the question why a device is refused opens the answer: %s, %d wide',
    async (locale, width, question, answer) => {
      await using _refused = await terminalsAt(box, {
        ...{ product: 'GATE-X1', productKey: 'key-of-the-gates', model: 'GX1', firstSerial: 'K0001', count: 1 },
        retryMs: () => 300,
      });
      const page = await signedIn('li', '/', { locale, width });
      if (width < 760) await page.getByRole('button', { name: /^(Search|搜索)$/ }).click();
      else await page.keyboard.press('/');
      const option = options(page).filter({ hasText: answer });
      await expect
        .poll(async () => {
          await field(page).fill('');
          await field(page).fill(question);
          return option
            .first()
            .waitFor({ timeout: 1000 })
            .then(
              () => true,
              () => false,
            );
        }, patient)
        .toBe(true);
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      if (process.env.PICTURES)
        await page.screenshot({ path: `${process.env.PICTURES}/search-${locale}-${width}.png` });
      await option.click();
      await page.waitForURL('**/devices?refused=GATE-X1_K0001');
      await page.getByRole('listitem').filter({ hasText: 'GATE-X1_K0001' }).first().waitFor();
    },
  );
});
