import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { TestBrowser } from '../test/support/browser.ts';
import { BoxProcess } from '../test/support/program.ts';
import { adminPassword, terminalsAt, urlOf } from '../test/support/ui-box.ts';
import { afternoonZone, aPlant, fillWorkingDays, plantSchedules } from '../test/support/working-day.ts';

/**
 * `npm run pictures`: the pictures of the README and the manual: every page in both languages, on a
 * desktop in light colours and on a phone in dark ones, and Today in all four. From a box of 200
 * people and 60 terminals on the afternoon of a working day. Needs Chromium and fonts for Chinese.
 */
const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const shown = [
  ['today', '/'],
  ['attendance', '/attendance'],
  ['month', '/attendance/month'],
  ['person', '/attendance/person/e2'],
  ['schedules', '/schedules'],
  ['access', '/access'],
  ['devices', '/devices'],
  ['device', '/devices/FACE-T1_A0001'],
  ['commission', '/commission'],
  ['sync', '/sync'],
  ['people', '/people'],
  ['integrations', '/integrations'],
  ['logs', '/logs'],
  ['system', '/system'],
  ['alerts', '/system/alerts'],
  ['history', '/system/history'],
] as const;
const desktop = { name: 'desktop', width: 1280, height: 800 };
const phone = { name: 'phone', width: 390, height: 844 };
const views = [
  { ...desktop, dark: false, all: true },
  { ...phone, dark: true, all: true },
  { ...desktop, dark: true, all: false },
  { ...phone, dark: false, all: false },
];

await mkdir(folder, { recursive: true });
for (const old of await readdir(folder)) await rm(join(folder, old));
await using browser = await TestBrowser.open();
for (const language of ['en', 'zh'] as const) await takePictures(language);

async function takePictures(language: 'en' | 'zh'): Promise<void> {
  const chinese = language === 'zh';
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-pictures-'));
  const timezone = afternoonZone(Date.now());
  const site = { ...aPlant({ chinese }), ...plantSchedules(timezone, { chinese }) };
  await fillWorkingDays(dataDir, site, timezone);
  try {
    await using box = await BoxProcess.start(
      { site: { name: chinese ? '四号厂房' : 'Plant 4', locale: chinese ? 'zh-CN' : 'en', timezone } },
      { ...site, users: [{ name: 'mei', password: adminPassword, role: 'admin' }] },
      {},
      dataDir,
    );
    const terminals = await terminalsAt(box, { count: 56, rate: 0.0005, people: 200 });
    for (const { name: view, width, height, dark, all } of views) {
      const page = await browser.page(urlOf(box), { locale: chinese ? 'zh-CN' : 'en-US', width, dark });
      await page.setViewportSize({ width, height });
      await signIn(page);
      for (const [name, path] of all ? shown : shown.slice(0, 1)) {
        await page.goto(path);
        await page.locator('main h1').first().waitFor();
        await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {}); // the event stream stays open
        await page
          .locator('.path')
          .getByText(/\d+ \/|\d+ of|在线/)
          .first()
          .waitFor({ timeout: 3000 })
          .catch(() => {});
        await page.screenshot({ path: `${folder}${name}-${language}-${view}-${dark ? 'dark' : 'light'}.png` });
      }
      await page.context().close();
    }
    await terminals.stop();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/');
  await page.locator('input[name=name]').fill('mei');
  await page.locator('input[name=password]').fill(adminPassword);
  await page.locator('button[type=submit]').click();
  await page.locator('main h1').first().waitFor();
  await page.getByRole('navigation').first().waitFor();
}
