import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Look, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { BoxProcess } from '../support/program.ts';
import { adminPassword, aUiBox, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';
import { afternoonZone, aPlant, fillWorkingDays } from '../support/working-day.ts';

const pictures = process.env.PICTURES_OF_HISTORY;

async function signIn(page: Page): Promise<void> {
  await page.goto('/');
  await enterAs('mei', page);
  await page.getByRole('navigation').first().waitFor();
}

suiteWithBrowser('the pictures of history', () => {
  let browser: TestBrowser;
  let box: BoxProcess;
  let folder: string;
  let terminals: Awaited<ReturnType<typeof terminalsAt>>;
  beforeAll(async () => {
    browser = await TestBrowser.open();
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-days-'));
    const zone = afternoonZone(Date.now());
    const site = aPlant();
    await fillWorkingDays(folder, site, zone);
    box = await BoxProcess.start(
      { site: { name: 'Plant 4', locale: 'en', timezone: zone } },
      { ...site, users: [{ name: 'mei', password: adminPassword, role: 'admin' }] },
      {},
      folder,
    );
    terminals = await terminalsAt(box, { count: 56, rate: 0.0005, people: 200 });
  });
  afterAll(async () => {
    await terminals?.stop();
    await box?.[Symbol.asyncDispose]();
    await browser?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const opened = async (look: Look = {}) => {
    const page = await browser.page(urlOf(box), look);
    await signIn(page);
    return page;
  };
  /** How much what was drawn has moved since the page was opened: below 0.1 nobody notices. */
  const shifts = (page: Page) =>
    page.evaluate<number>(
      `new Promise(done => {
        let sum = 0;
        new PerformanceObserver(list => { for (const one of list.getEntries()) sum += one.value; })
          .observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => done(sum), 300);
      })`,
    );

  test('Today is a picture with its sentence, its values one by one, and a table', async () => {
    const page = await opened();
    const figure = page.getByRole('figure', { name: 'Check-ins today' });
    await figure.getByText(/\d+ check-ins by \d+ people, peak \d+ at \d\d:\d\d/).waitFor();
    await figure.getByText(/Queue peaked at 5\d\d at \d\d:\d\d, cleared by 09:\d\d/).waitFor();
    await figure.getByText(/Cloud offline 08:12–08:59/).waitFor();
    expect(await figure.locator('.band.cut').count()).toBe(1);

    const slider = figure.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const second = await slider.getAttribute('aria-valuetext');
    expect(second).toMatch(/^\d\d:15$/);
    await figure
      .getByRole('status')
      .getByText(new RegExp(`^${second} Check-ins: \\d+`))
      .waitFor();
    await figure.getByRole('button', { name: 'Show table' }).click();
    await figure
      .getByRole('table', { name: 'Check-ins today' })
      .getByRole('row')
      .filter({ hasText: 'cloud offline' })
      .first()
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test.each([
    { locale: 'en-US', width: 1280, said: /(\d+) check-ins? by (\d+) p/, place: 2 },
    { locale: 'zh-CN', width: 390, said: /(\d+) 人打卡 (\d+) 次/, place: 1 },
  ] as const)(
    'the card and the picture name the same check-ins, and a scale is no value: $locale',
    async ({ said, place, ...look }) => {
      const page = await opened(look);
      const figure = page.locator('figure.picture').first();
      await figure.locator('figcaption').waitFor();
      // In one look, since terminals go on sending.
      const shown = () =>
        page.evaluate<string[]>(
          "['.figures li b', '.figures li .note', 'figure.picture figcaption'].map(one => document.querySelector(one).textContent)",
        );
      for (let look = 0; look < 20; look++) {
        const [people, checkins, sentence] = (await shown()) as [string, string, string];
        const found = said.exec(sentence)!;
        expect([found[place], found[3 - place]]).toEqual([people, /\d+/.exec(checkins)![0]]);
      }
      for (const name of await figure.locator('.plot .name').allTextContents()) expect(name).not.toMatch(/[:：]/);
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/today-${look.locale}.png` });
    },
  );

  test('the days before are one key away, in the address, and hold what was kept of them', async () => {
    const page = await opened();
    await page.getByRole('figure', { name: 'Check-ins today' }).waitFor();
    await page.getByRole('button', { name: 'Previous day' }).click();
    await page.waitForURL(/\?day=\d{4}-\d\d-\d\d$/);
    await page.getByRole('figure', { name: /^Check-ins on / }).waitFor();
    expect(await page.getByText(/^Devices of that day: 60$/).count()).toBe(1);
    // Four more days back the box was off from the evening on.
    for (let back = 0; back < 5; back++) await page.getByRole('button', { name: 'Previous day' }).click();
    await page.getByText(/Gateway off/).waitFor();
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    await page.getByRole('figure', { name: 'Check-ins today' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('each device is a mark whose name says how it is, and which leads to its page with its hours', async () => {
    const page = await opened();
    await page.getByText('Devices: 56 of 60 online').waitFor();
    const marks = page
      .getByRole('region', { name: /^Devices:/ })
      .getByRole('listitem')
      .getByRole('link');
    expect(await marks.count()).toBe(60);
    await page.getByRole('link', { name: /^Hall 1, gate 6, online, online \d+ % of the day$/ }).click();
    const figure = page.getByRole('figure', { name: 'Uptime, last two weeks' });
    await figure.getByText(/^Online \d\d % of the time · longest outage /).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('System tells how the box fared, over a day and over a month', async () => {
    const page = await opened();
    await page.goto('/system/history');
    const waiting = page.getByRole('figure', { name: 'Upload queue' });
    await waiting.getByText(/^Maximum 5\d\d at .* 08:\d\d$/).waitFor();
    await page
      .getByRole('figure', { name: 'Board temperature' })
      .getByText(/^Maximum .*°C at /)
      .waitFor();
    await page
      .getByRole('figure', { name: 'Acknowledgement latency (p99)' })
      .getByText(/^Maximum .* ms at /)
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: '30 days' }).click();
    await page.waitForURL(/\?span=month$/);
    // The night in which the box was off.
    await waiting.locator('.band.off').first().waitFor();
    expect(page.foreign).toEqual([]);
  });

  test.each([
    ['desktop', {}],
    ['dark', { dark: true }],
    ['zh', { locale: 'zh-CN' }],
    ['phone', { width: 390 }],
    ['phone-zh-dark', { width: 390, locale: 'zh-CN', dark: true }],
  ] as const)('nothing jumps and nothing is wider than the page: %s', async (name, look) => {
    const page = await opened(look);
    for (const [what, path] of [
      ['today', '/'],
      ['device', '/devices/FACE-T1_A0006'],
      ['history', '/system/history'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('figure').first().waitFor();
      await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => {}); // the event stream stays open
      const moved = await shifts(page);
      expect(moved, `${what} moves by ${moved}`).toBeLessThan(0.1);
      const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      expect([what, wide]).toEqual([what, false]);
      if (pictures) await page.screenshot({ path: join(pictures, `${what}-${name}.png`), fullPage: true });
    }
    await page.context().close();
  });
});

suiteWithBrowser('a box that knows nobody', () => {
  test('shows the first punch at once, with what the device said', async () => {
    await using browser = await TestBrowser.open();
    await using box = await aUiBox({}, { employees: [], departments: [] });
    const page = await browser.page(urlOf(box));
    await signIn(page);
    await page.getByRole('figure', { name: 'Check-ins today' }).getByText('No check-ins yet').waitFor();
    const terminals = await terminalsAt(box, { count: 1, recordsMax: 5 });
    await page
      .getByRole('row')
      .filter({ hasText: /Unknown ID / })
      .first()
      .waitFor();
    await terminals.stop();
  });
});
