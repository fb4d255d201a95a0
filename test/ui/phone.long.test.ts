import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { everyPage } from '../support/every-page.ts';
import { BoxProcess } from '../support/program.ts';
import { smallTargets } from '../support/targets.ts';
import { adminPassword, enterAs, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';
import { afternoonZone, aPlant, fillWorkingDays, plantSchedules } from '../support/working-day.ts';

const bytesMax = 200_000;
/** Judged on an idle machine alone: `npm run test:nightly -- first-paint` asks for 1,000. */
const firstPaintMsMax = Number(process.env.FIRST_PAINT_MS ?? Number.POSITIVE_INFINITY);
/**
 * Together with the shell in the first response these are what the time of the first paint comes from
 * on any machine: nothing is waited for before it, and 120 kB of scripts take a phone of the middle
 * class a quarter of a second to parse and run, behind it.
 */
const scriptBytesMax = 120_000;
/** What a server sends before it waits for the first acknowledgement: ten segments (RFC 6928). */
const firstPacketsBytes = 14_600;
const paths = [...everyPage, '/attendance/person/e2'];

/** A fair mobile network and a phone of the middle class, as Lighthouse takes them. */
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
/** Where it is judged: a slow one takes four times the time of the machine's. */
const slowProcessor = { rate: firstPaintMsMax < Number.POSITIVE_INFINITY ? 4 : 1 };

/** Layout shifts of the page, each as "size: what moved"; what follows a click within 0.5 s is none. */
const watchShifts = `
  window.shifts = [];
  window.firstPaint = 0;
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      // A digit of the clock that changes moves its neighbours by a part of a pixel: 0.0001.
      if (!hadRecentInput && value >= 0.001)
        window.shifts.push(value.toFixed(4) + ': ' + sources.map(({ node }) => (node?.outerHTML ?? 'text').slice(0, 80)).join(' | '));
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver(list => {
    for (const { name, startTime } of list.getEntries())
      if (name === 'first-contentful-paint') window.firstPaint = startTime;
  }).observe({ type: 'paint', buffered: true });
`;

const middleOf = ({ y, height }: { readonly y: number; readonly height: number }): number => y + height / 2;

suiteWithBrowser('a phone, at a site of 200 people and 60 devices', () => {
  let browser: TestBrowser;
  let box: BoxProcess;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-phone-'));
    const timezone = afternoonZone(Date.now());
    const site = { ...aPlant(), ...plantSchedules(timezone) };
    await fillWorkingDays(dataDir, site, timezone);
    browser = await TestBrowser.open();
    box = await BoxProcess.start(
      { site: { name: 'Plant 4', locale: 'en', timezone } },
      {
        ...site,
        users: [
          { name: 'mei', password: adminPassword, role: 'admin' },
          { name: 'li', password: adminPassword, role: 'viewer' },
        ],
      },
      {},
      dataDir,
    );
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Every page is opened once, for both tests of all of them. */
  let visited: Promise<Visited> | undefined;
  const allVisited = () => (visited ??= visitEachPage(browser, box));

  test('every page is at most 200 kB with its first data, nothing in it moves while it loads, and it is painted in time', async () => {
    const { whileLoading, paints } = await allVisited();
    paints.sort((one, other) => one - other);
    console.log(
      `first paint of ${paints.length} pages, ms: median ${paints[paints.length >> 1]}, most ${paints.at(-1)}`,
    );
    expect(whileLoading).toEqual([]);
  });

  test.each([
    ['who is signed in', 'sees the frame and the name of the page', true, '/attendance/month', '#shell .page-name'],
    ['who is not signed in', 'sees the name of the product', false, '/', '#shell .boot b'],
  ])('somebody %s %s after one response of at most ten packets', async (_who, _sees, isIn, path, seen) => {
    const page = isIn ? await signedIn(browser, box, 390) : await browser.page(urlOf(box), { width: 390 });
    const held = Promise.withResolvers<void>();
    await page.route(/\/(ui|admin)\//, async route => {
      await held.promise;
      await route.continue();
    });
    const document = page.waitForEvent('requestfinished', request => request.resourceType() === 'document');
    const finished: string[] = [];
    await page.goto(path, { waitUntil: 'commit' });
    page.on('requestfinished', request => finished.push(request.url()));
    await page.locator(seen).waitFor();
    await painted(page);
    const { responseBodySize, responseHeadersSize } = await (await document).sizes();
    expect(responseBodySize + responseHeadersSize).toBeLessThan(firstPacketsBytes);
    expect(finished.filter(url => /\/(ui|admin)\//.test(url))).toEqual([]);
    held.resolve();
    await page
      .locator(isIn ? 'main .sentence' : 'input[name=name]')
      .first()
      .waitFor();
    expect(await page.locator('#shell').count()).toBe(0);
  });

  test('no page is wider than a phone of 390 px, where a fingertip hits all that can be pressed, or a tablet of 820 px', async () => {
    const { onScreens } = await allVisited();
    expect(onScreens).toEqual([]);
  });

  test('a list has two lines a row, sorts, and keeps what narrows it behind one button', async () => {
    const page = await signedIn(browser, box, 390);
    await page.goto('/devices');
    const row = page.locator('tbody tr', { has: page.getByRole('link', { name: 'Hall 1, gate 3', exact: true }) });
    const boxOf = async (what: string) => (await row.locator(what).boundingBox())!;
    await row.waitFor();
    const [name, state, below] = await Promise.all(
      ['name', 'state', 'below'].map(place => boxOf(`td[data-phone=${place}]`)),
    );
    expect((await row.boundingBox())!.height).toBeLessThan(90);
    expect(Math.abs(middleOf(name!) - middleOf(state!))).toBeLessThan(12);
    expect(middleOf(below!)).toBeGreaterThan(name!.y + name!.height - 2);
    expect(await row.locator('td[data-phone=below]').textContent()).toContain('FACE-T1_A0003');
    await page.getByRole('button', { name: 'Device', exact: true }).waitFor();
    const product = page.getByRole('combobox', { name: 'Product' });
    expect(await product.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await product.selectOption({ index: 1 });
    const filters = page.getByRole('button', { name: 'Filters (1)', exact: true });
    await filters.waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    await filters.waitFor({ state: 'hidden' });
    expect(await product.isVisible()).toBe(true);
    await page.setViewportSize({ width: 390, height: 900 });

    await page.goto('/people');
    // The keyboard is in a menu as soon as it is shown: the next key is for it.
    const more = page.getByRole('button', { name: 'More for Li Mei' }).first();
    await more.waitFor();
    const isInMenu = await page.evaluate<boolean>(`(async () => {
      document.querySelector('[aria-label="More for Li Mei"]').click();
      await new Promise(resolve => setTimeout(resolve));
      return document.activeElement.closest('.menu-items') !== null;
    })()`);
    expect(isInMenu).toBe(true);
    await page.keyboard.press('Escape');
    await more.click();
    await page.getByRole('button', { name: 'Edit Li Mei' }).click();
    await page.getByRole('dialog').waitFor();
  });

  test('the view for the wall shows a viewer who came last, has nothing to press, and survives a restart of the box', async () => {
    const page = await signedIn(browser, box, 1180, 'li');
    await page.goto('/wall');
    await settled(page);
    await page.getByRole('heading', { level: 1, name: /^\d\d:\d\d$/ }).waitFor();
    const came = page.getByRole('region', { name: 'Recent check-ins' }).getByRole('listitem');
    expect(await came.count()).toBe(5);
    expect(await page.locator('a:visible:not(.skip), button:visible, input:visible').count()).toBe(0);
    await box.stop();
    await page.getByText('not responding').filter({ visible: true }).first().waitFor();
    await box.start();
    await page.locator('.path .station:not(.broken) small:text-matches("online")').waitFor();
    expect(await came.count()).toBe(5);
  });
});

interface Visited {
  /** What is wrong with bytes, shifts and paints; with targets and widths. */
  readonly whileLoading: string[];
  readonly onScreens: string[];
  /** First paints in ms. */
  readonly paints: number[];
}

async function visitEachPage(browser: TestBrowser, box: BoxProcess): Promise<Visited> {
  const page = await signedIn(browser, box, 390);
  await page.addInitScript(watchShifts);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  const visited: Visited = { whileLoading: [], onScreens: [], paints: [] };
  for (const path of paths) {
    const opened = await openedCold(page, cdp, path);
    if (opened.bytes > bytesMax) visited.whileLoading.push(`${path}: ${opened.bytes} bytes`);
    if (opened.scriptBytes > scriptBytesMax)
      visited.whileLoading.push(`${path}: ${opened.scriptBytes} bytes of scripts`);
    visited.whileLoading.push(...opened.blocking.map(url => `${path}: is not painted before ${url} has come`));
    visited.whileLoading.push(...opened.shifts.map(shift => `${path}: ${shift}`));
    visited.paints.push(opened.firstPaint);
    // What else the machine does makes a paint later, never earlier: the best of some counts.
    let best = opened.firstPaint;
    for (let more = 0; best > firstPaintMsMax && more < 4; more++)
      best = Math.min(best, (await openedCold(page, cdp, path)).firstPaint);
    if (best > firstPaintMsMax) visited.whileLoading.push(`${path}: first paint after ${best} ms`);
    visited.onScreens.push(...(await screenFindings(page)).map(one => `${path}: ${one}`));
  }
  return visited;
}

/** Leaves the page as wide as a phone. */
async function screenFindings(page: Page): Promise<string[]> {
  const findings = await smallTargets(page);
  for (const width of [390, 820]) {
    await page.setViewportSize({ width, height: 900 });
    await twoFrames(page);
    const more = await page.locator('html').evaluate(html => html.scrollWidth - html.clientWidth);
    if (more > 0) findings.push(`${more} px wider than a screen of ${width} px`);
  }
  await page.setViewportSize({ width: 390, height: 900 });
  return findings;
}

async function signedIn(browser: TestBrowser, box: BoxProcess, width: number, name = 'mei'): Promise<Page> {
  const page = await browser.page(urlOf(box), { width });
  await page.goto('/');
  await enterAs(name, page);
  await page.locator('.path .station').first().waitFor();
  return page;
}

/** Asked from outside: what a page polls itself would be an `eval`, which its policy forbids. */
const painted = (page: Page): Promise<boolean> =>
  until('the page is painted', () =>
    page.evaluate<boolean>('performance.getEntriesByName("first-contentful-paint").length > 0'),
  );

/** All that was asked has come: nothing says "Loading". */
async function settled(page: Page): Promise<void> {
  await page.locator('main :is(.sentence, .wall)').first().waitFor();
  await page.locator('.loading, .arriving').first().waitFor({ state: 'detached' });
  await page.locator('main:not([data-arriving])').waitFor();
}

const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');

interface Opened {
  /** That travelled. */
  readonly bytes: number;
  readonly shifts: readonly string[];
  /** Files for which the browser holds the first paint back. */
  readonly blocking: readonly string[];
  readonly scriptBytes: number;
  /** In ms after the navigation began. */
  readonly firstPaint: number;
}

/** Opens a page with nothing cached on a slow network and a slow processor. */
async function openedCold(page: Page, cdp: CDPSession, path: string): Promise<Opened> {
  await page.goto('about:blank');
  await cdp.send('Network.clearBrowserCache');
  let bytes = 0;
  const sum = ({ encodedDataLength }: { encodedDataLength: number }) => {
    bytes += encodedDataLength;
  };
  cdp.on('Network.loadingFinished', sum);
  await cdp.send('Network.emulateNetworkConditions', slowNetwork);
  await cdp.send('Emulation.setCPUThrottlingRate', slowProcessor);
  await page.goto(path, { waitUntil: 'commit' });
  await settled(page);
  // Two frames after the answers: what they moved has been counted.
  await twoFrames(page);
  await painted(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await cdp.send('Network.emulateNetworkConditions', {
    ...slowNetwork,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  cdp.off('Network.loadingFinished', sum);
  const seen = await page.evaluate<Omit<Opened, 'bytes'>>(`(() => {
    const files = performance.getEntriesByType('resource');
    return {
      shifts: window.shifts,
      firstPaint: Math.round(window.firstPaint),
      blocking: files.filter(one => one.renderBlockingStatus === 'blocking').map(one => one.name),
      scriptBytes: files.filter(one => one.name.endsWith('.js')).reduce((sum, one) => sum + one.encodedBodySize, 0),
    };
  })()`);
  return { bytes, ...seen };
}
