import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { realClock, realRandom } from '../src/runtime/real-world.ts';
import { dayOf } from '../src/runtime/wall-time.ts';
import { TestBrowser } from '../test/support/browser.ts';
import { BoxProcess } from '../test/support/program.ts';
import { adminPassword, enterAs, terminalsAt, urlOf } from '../test/support/ui-box.ts';
import { afternoonZone, aPlant, fillWorkingDays, plantSchedules } from '../test/support/working-day.ts';
import { startSimCloud } from '../tools/sim/index.ts';
import { standingPage, standingPages } from './standing-pages.ts';

/**
 * `npm run pictures`: every page in both languages, light and dark, on a desktop and on a phone, into
 * `pictures/`, which a release has attached and git ignores. The few that README and guides show are
 * copied to `docs/pictures/`. From a box of 200 people and 60 terminals on the afternoon of a working
 * day, beside a simulated cloud; and the pages of OAuth and of the hotspot, which need no box. As
 * WebP, so that all of them take a few megabytes.
 * Needs Chromium and fonts for Chinese. `npm run pictures -- month settings` makes those alone.
 */
const folder = fileURLToPath(new URL('../pictures/', import.meta.url));
const shownInGuides = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const shown = [
  ['today', '/'],
  ['attendance', '/attendance'],
  ['month', '/attendance/month'],
  ['person', '/attendance/person/e2'],
  ['schedules', '/schedules'],
  ['rosters', '/schedules/rosters'],
  ['calendar', '/schedules/calendar'],
  ['leave', '/schedules/leave'],
  ['people', '/people'],
  ['access', '/access'],
  ['devices', '/devices'],
  ['device', '/devices/FACE-T1_A0001'],
  ['statement', '/devices/FACE-T1_A0001/statement'],
  ['record', '/devices/FACE-T1_A0001/record/1'],
  ['commission', '/commission'],
  ['sync', '/sync'],
  ['integrations', '/integrations'],
  ['logs', '/logs'],
  ['system', '/system'],
  ['settings', '/system/settings'],
  ['history', '/system/history'],
  ['alerts', '/system/alerts'],
  ['network', '/system/network'],
  ['certificates', '/system/certificates'],
  ['users', '/system/users'],
  ['audit', '/system/audit'],
  ['backup', '/system/backup'],
  ['drill', '/system/drill'],
  ['update', '/system/update'],
  ['reset', '/system/reset'],
  ['holidays', '/system/holidays'],
  ['about', '/system/about'],
  ['wall', '/wall'],
  ['welcome', '/welcome'],
  ['docs', '/docs'],
  ['no-such-page', '/no-such-page'],
] as const;
/** Taken last: from then on the month is closed. */
const shownClosed = [['month-closed', '/attendance/month']] as const;
const desktop = { name: 'desktop', width: 1280, height: 800 };
const phone = { name: 'phone', width: 390, height: 844 };
const views = [desktop, phone].flatMap(view => [false, true].map(dark => ({ ...view, dark })));
/** Of WebP, of 100: text has no visible edges from here on. */
const quality = 82;

type View = (typeof views)[number];
const localeOf = (language: 'en' | 'zh') => (language === 'zh' ? 'zh-CN' : 'en-US');
const lookOf = (language: 'en' | 'zh', { width, dark }: View) => ({ locale: localeOf(language), width, dark }) as const;
const fileOf = (name: string, language: string, { name: view, dark }: View): string =>
  `${folder}${name}-${language}-${view}-${dark ? 'dark' : 'light'}.webp`;

await mkdir(folder, { recursive: true });
const only = new Set(process.argv.slice(2));
const isWanted = (name: string): boolean => only.size === 0 || only.has(name);
for (const old of await readdir(folder)) if (isWanted(old.replace(/-(en|zh)-.*/, ''))) await rm(join(folder, old));
await using browser = await TestBrowser.open();
for (const language of ['en', 'zh'] as const) {
  await takeStandingPages(language);
  if ([...shown, ...shownClosed].some(([name]) => isWanted(name)) || isWanted('sign-in')) await takePictures(language);
}
const taken = new Set(await readdir(folder));
for (const name of await readdir(shownInGuides))
  if (taken.has(name)) await copyFile(join(folder, name), join(shownInGuides, name));

async function takeStandingPages(language: 'en' | 'zh'): Promise<void> {
  for (const view of views)
    for (const name of standingPages.filter(isWanted)) {
      const page = await browser.page('https://box.invalid', lookOf(language, view));
      await page.setViewportSize(view);
      await page.setContent(await standingPage(name, language));
      await writeFile(fileOf(name, language, view), await pictureOf(page));
      await page.context().close();
    }
}

async function takePictures(language: 'en' | 'zh'): Promise<void> {
  const chinese = language === 'zh';
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-pictures-'));
  const timezone = afternoonZone(Date.now());
  const site = { ...aPlant({ chinese }), ...plantSchedules(timezone, { chinese }) };
  await fillWorkingDays(dataDir, site, timezone);
  await using cloud = await startSimCloud({
    clock: realClock,
    random: realRandom,
    products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1' }],
    limits: false,
    keep: 10,
  });
  const { deviceMqtt, deviceHttp } = cloud.urls;
  try {
    await using box = await BoxProcess.start(
      {
        site: { name: chinese ? '四号厂房' : 'Plant 4', locale: chinese ? 'zh-CN' : 'en', timezone },
        upstream: { mode: 'per-device', device_mqtt: deviceMqtt, device_http: deviceHttp },
      },
      { ...site, users: [{ name: 'mei', password: adminPassword, role: 'admin' }] },
      {},
      dataDir,
    );
    const terminals = await terminalsAt(box, { count: 56, rate: 0.003, people: 200 });
    for (const view of views) await takePages(box, language, view, shown);
    if (shownClosed.some(([name]) => isWanted(name))) {
      await closeMonth(box, chinese ? '本月提前发薪' : 'Payroll is early this month');
      for (const view of views) await takePages(box, language, view, shownClosed);
    }
    await terminals.stop();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function takePages(
  box: BoxProcess,
  language: 'en' | 'zh',
  view: View,
  pages: readonly (readonly [name: string, path: string])[],
): Promise<void> {
  const page = await browser.page(urlOf(box), lookOf(language, view));
  await page.setViewportSize(view);
  const take = async (name: string) => writeFile(fileOf(name, language, view), await pictureOf(page));
  await page.goto('/');
  await page.locator('input[name=name]').waitFor();
  if (isWanted('sign-in') && pages === shown) await take('sign-in');
  await signIn(page);
  for (const [name, path] of pages) {
    if (!isWanted(name)) continue;
    await page.goto(path);
    await page.locator('main h1').first().waitFor();
    await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => {}); // the event stream stays open
    await page
      .locator('.path')
      .getByText(/\d+ \/|\d+ of|在线/)
      .first()
      .waitFor({ timeout: 3000 })
      .catch(() => {});
    // All that was asked has come, whatever the machine does beside.
    page.setDefaultTimeout(60_000);
    await page.locator('main:not([data-arriving])').waitFor();
    await page.locator('.loading, .arriving, main [aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.locator('main [role=status]:text-matches("Loading|正在加载")').first().waitFor({ state: 'detached' });
    if (name === 'today') await page.locator('.plot .expected').waitFor({ state: 'attached' });
    await take(name);
  }
  await page.context().close();
}

/** Closes the month of today, which is not over: with a reason. */
async function closeMonth(box: BoxProcess, why: string): Promise<void> {
  const month = dayOf(realClock.now(), afternoonZone(Date.now())).day.slice(0, 7);
  await box.ask('attendance', 'close', month, '--force', why);
}

/** Playwright's own has no WebP. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  await session.detach();
  return Buffer.from(data, 'base64');
}

async function signIn(page: Page): Promise<void> {
  await enterAs('mei', page);
  await page.locator('main h1').first().waitFor();
  await page.getByRole('navigation').first().waitFor();
}
