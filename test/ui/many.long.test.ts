import { expect, test, vi } from 'vitest';
import { wallTime } from '../../src/runtime/wall-time.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { fillCheckIns, filledFrom } from '../support/many-checkins.ts';
import { aUiBox, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';

/**
 * A large site: `CHECKINS=10000000 SECONDS=600 npm run test:long -- test/ui/many` is the full size;
 * the small one shows the same but for the times, which are printed and not judged.
 */
const checkins = Number(process.env.CHECKINS ?? 100_000);
const seconds = Number(process.env.SECONDS ?? 10);
const devices = 2000;

vi.setConfig({ testTimeout: (seconds + 900) * 1000, hookTimeout: 900_000 });

const filledDay = new Date((filledFrom + 36_000) * 1000).toISOString().slice(0, 10);
const paths = [
  '/',
  `/attendance?day=${filledDay}`,
  `/attendance/month?month=${filledDay.slice(0, 7)}`,
  '/attendance/person/e1',
  '/access',
  '/devices',
  '/devices/FACE-T1_B0001',
  '/sync',
  '/people',
  '/integrations',
  '/logs',
  '/system',
];

/** More rows than this on a page is a list that loads everything. */
const rowsMax = 300;
const answerBytesMax = 400_000;

suiteWithBrowser('a large site', () => {
  test(`pages of a site with ${devices} devices, ${checkins} check-ins and 100 records a second hold no list whole, and the tab does not grow`, async () => {
    await using box = await aUiBox(
      { limits: { log_per_second: 1000, log_per_day: 1_000_000 } },
      {
        employees: [],
        devices: Array.from({ length: devices }, (_, index) => ({
          device_id: `FACE-T1_B${String(index + 1).padStart(4, '0')}`,
          name: `Gate ${index + 1}`,
        })),
      },
    );
    await box.stop();
    fillCheckIns(box.dataDir, checkins);
    await box.start();
    expect(wallTime('Asia/Shanghai').dayBounds(filledDay).from).toBeGreaterThan(0);
    const terminals = await terminalsAt(box, { count: 50, rate: 1, logs: 1, people: 40, firstSerial: 'B0001' });
    await using browser = await TestBrowser.open();
    const page = await browser.page(urlOf(box));
    const large: string[] = [];
    page.on('response', async response => {
      const length = Number(response.headers()['content-length'] ?? 0);
      if (response.url().includes('/admin/v1/') && length > answerBytesMax) large.push(`${response.url()}: ${length}`);
    });
    await page.goto('/');
    await enterAs('mei', page);
    await page.locator('.path .station').first().waitFor();

    const times: string[] = [];
    const long: string[] = [];
    for (const path of paths) {
      const taken: number[] = [];
      for (let round = 0; round < 3; round++) {
        const start = performance.now();
        await page.goto(path);
        await page.locator('main :is(.sentence, .wall)').first().waitFor();
        await page
          .locator('main [role=status]:text-matches("Loading|正在加载")')
          .first()
          .waitFor({ state: 'detached' });
        taken.push(performance.now() - start);
      }
      taken.sort((one, other) => one - other);
      times.push(`${path} ${taken[1]!.toFixed(0)} ms`);
      const rows = await page.locator('main tbody tr').count();
      if (rows > rowsMax) long.push(`${path}: ${rows} rows`);
    }
    console.info(`opened, loaded again, with what it shows (median of 3): ${times.join(', ')}`);
    expect(long).toEqual([]);
    expect(large).toEqual([]);

    await page.goto('/');
    const session = await page.context().newCDPSession(page);
    const heap = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      return ((await session.send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize;
    };
    await page.waitForTimeout(3000);
    const before = await heap();
    await page.waitForTimeout(seconds * 1000);
    const after = await heap();
    console.info(`the tab: ${(before / 1e6).toFixed(1)} MB, after ${seconds} s ${(after / 1e6).toFixed(1)} MB`);
    expect(after - before).toBeLessThan(3_000_000);
    await terminals.stop();
  });
});
