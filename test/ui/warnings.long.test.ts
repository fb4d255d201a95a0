import { existsSync, statfsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultActions } from '../../src/platform/actions.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { append } from '../support/store.ts';
import { suiteWhere } from '../support/tools.ts';
import { adminPassword, aUiBox, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

async function signIn(page: Page, path: string, name = 'mei'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(adminPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').first().waitFor();
}

/** The store of a stopped box. */
async function withStore(dataDir: string, act: (store: Store) => Promise<void>): Promise<void> {
  await using store = await openStore({
    ...{ dataDir, environment: 'test', timeZone: 'Asia/Shanghai', actions: defaultActions, upstream: false },
    ...{ clock: realClock, log: silentLog },
  });
  await act(store);
}

suiteWithBrowser('what the pages warn of', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('more new devices came than are allowed: the notice leads to the button that lets them in, and goes', async () => {
    await using box = await aUiBox({ admission: { new_devices_per_hour: 1 } });
    await using _terminals = await terminalsAt(box, { count: 2, retryMs: () => 300 });
    const page = await browser.page(urlOf(box));
    await until('one is refused', () => box.stderr.includes('new_devices_per_hour'));
    await signIn(page, '/');
    await page.getByRole('link', { name: /^Hourly limit for new FACE-T1 devices reached/ }).click();
    await page.getByRole('button', { name: 'Allow new devices for 1 hour' }).first().click();
    await page.getByRole('dialog').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Allow new devices for 1 hour' }).click();
    await page.getByText('All 2 devices online').waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Offline devices' }).waitFor();
    expect(await page.getByText('Hourly limit for new FACE-T1 devices').count()).toBe(0);
    expect(page.foreign).toEqual([]);
  });

  suiteWhere(SmallDisk.possible, 'needs root, to mount a small file system', 'on a small disk', () => {
    test('the disk is nearly full: an administrator removes what can be made again, a viewer sees no button', async () => {
      using disk = new SmallDisk(48);
      const dataDir = join(disk.folder, 'data');
      await using box = await aUiBox({ data_dir: dataDir });
      const spoken = join(dataDir, 'speech', '0123');
      await mkdir(join(dataDir, 'speech'), { recursive: true });
      await writeFile(spoken, Buffer.alloc(300_000, 1));
      const { bavail, bsize } = statfsSync(dataDir);
      await writeFile(join(disk.folder, 'filler'), Buffer.alloc(bavail * bsize - 4_000_000));

      const viewer = await browser.page(urlOf(box));
      await signIn(viewer, '/system', 'li');
      await viewer.getByText('Only an administrator can free up space.').waitFor();
      expect(await viewer.getByRole('button', { name: /^Delete/ }).count()).toBe(0);

      const page = await browser.page(urlOf(box));
      await signIn(page, '/');
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Disk \d+ % full$/ })
        .click();
      await page.getByRole('heading', { name: 'Disk space' }).waitFor();
      const remove = page.getByRole('button', { name: 'Delete: Delete speech files (generated again on demand)' });
      await remove.click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('This cannot be undone.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(existsSync(spoken)).toBe(true);
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/^\S+ \S+ freed$/).waitFor();
      await remove.waitFor({ state: 'detached' });
      expect(existsSync(spoken)).toBe(false);
      expect([...page.foreign, ...viewer.foreign]).toEqual([]);
    });
  });

  test('a log whose time is not known says so on the page Logs', async () => {
    await using box = await aUiBox();
    const terminals = await terminalsAt(box, { count: 1, logs: 5 });
    await until('a log is found', async () => (await box.export('logs')).length > 0);
    await terminals.stop();
    await box.stop();
    await withStore(box.dataDir, async store => {
      const [device] = store.directory.devices();
      // As a box below whose clock was wrong hands it on.
      await append(store, {
        ...{ deviceNo: device!.deviceNo, channel: 'log', receivedAt: realClock.now(), logPath: 'FT1/A0001' },
        ...{ marks: { clamped: true }, payload: Buffer.from('of a box below') },
      });
    });
    await box.start();
    const page = await browser.page(urlOf(box));
    await signIn(page, '/logs');
    await page.getByText('[time unknown]').waitFor();
    await page.getByText('1 with unknown time (wrong clock)').waitFor();
    expect(await page.getByText('[time unknown]').count()).toBe(1);
  });
});
