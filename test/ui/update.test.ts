import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { suiteWithBus, TestBus } from '../support/dbus.ts';
import type { BoxProcess } from '../support/program.ts';
import { adminPassword, aUiBox, urlOf } from '../support/ui-box.ts';
import { aBundle, raucOn } from '../support/updates.ts';

suiteWithBrowser('the update page', () => {
  suiteWithBus('with RAUC', () => {
    let browser: TestBrowser;
    beforeAll(async () => {
      browser = await TestBrowser.open();
    });
    afterAll(async () => browser?.[Symbol.asyncDispose]());

    const opened = async (box: BoxProcess, name = 'mei') => {
      const page = await browser.page(urlOf(box));
      await page.goto('/system/update');
      await page.locator('input[name=name]').fill(name);
      await page.locator('input[name=password]').fill(adminPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      return page;
    };

    /** A box whose programs and sticks are in a folder of the test. */
    const withBox = async (act: (box: BoxProcess, folder: string, bus: TestBus) => Promise<void>) => {
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-update-page-'));
      try {
        await using bus = await TestBus.open();
        for (const name of ['programs/a', 'sticks/sda1', 'run']) await mkdir(join(folder, name), { recursive: true });
        const updates = { program_dir: join(folder, 'programs'), sticks_dir: join(folder, 'sticks') };
        await using box = await aUiBox(
          { updates },
          {},
          { DBUS_SYSTEM_BUS_ADDRESS: bus.address, RUNTIME_DIRECTORY: join(folder, 'run') },
        );
        await act(box, folder, bus);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    };

    test('send an update, read what it is, install it; a forged one changes nothing', () =>
      withBox(async (box, folder, bus) => {
        const rauc = await raucOn(bus, { slots: [] });
        const page = await opened(box);
        await page.locator('.sentence', { hasText: /^Gatehouse \d/ }).waitFor();
        const send = async (file: string) => {
          await page.getByLabel('Update file').setInputFiles(file);
          await page.getByRole('button', { name: 'Upload', exact: true }).click();
        };
        await send(await aBundle(folder, { signed: 'by them', version: '6.6.6' }));
        await page.getByText('is not signed by a key that this box trusts').waitFor();
        await send(await aBundle(folder, { compatible: 'gatehouse-raspberrypi' }));
        const dialog = page.getByRole('dialog');
        await dialog.getByText('take the bundle for this machine.').waitFor();
        expect(await dialog.getByRole('button', { name: 'Back up and install' }).isDisabled()).toBe(true);
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await rauc.control('Hold', 'b', true);
        await send(await aBundle(folder, { version: '99.0.0' }));
        await dialog.getByRole('heading', { name: 'Program 99.0.0' }).waitFor();
        await dialog.getByText('Reads cards faster').waitFor();
        await dialog.getByText('Creates a backup').waitFor();
        await dialog.getByRole('button', { name: 'Back up and install' }).click();
        await page.locator('.sentence', { hasText: 'Updating to 99.0.0 …' }).waitFor();
        await page.getByText('installing').waitFor();
        await rauc.control('Hold', 'b', false);
        // Nobody watches over the box of this test.
        await page.getByText('installed, restart pending').waitFor();
        const audit = await (await page.request.get('/admin/v1/audit?actor=mei')).json();
        expect(audit.rows.map((row: { action: string }) => row.action)).toContain('POST /update');
        expect(page.foreign).toEqual([]);
      }));

    test('an update from a stick; why the last one was rolled back, in both languages; back by hand', () =>
      withBox(async (box, folder, bus) => {
        await raucOn(bus, { slots: [] });
        await aBundle(join(folder, 'sticks/sda1'), { version: '99.0.0' });
        const outcome = { kind: 'program', from: '0.1.0', to: '0.1.5', outcome: 'rolled-back', at: 1_795_268_367 };
        await writeFile(
          join(folder, 'programs/last-update.json'),
          JSON.stringify({ ...outcome, code: 'update_unhealthy_starts', params: { starts: '3' } }),
        );
        await writeFile(join(folder, 'programs/a/version'), '0.0.9');
        await writeFile(join(folder, 'programs/previous'), 'a');
        const page = await opened(box);
        await page.locator('.sentence', { hasText: 'Update to 0.1.5 failed and was rolled back' }).waitFor();
        await page.getByText('rolled back: it was not healthy after 3 starts').waitFor();
        await page.getByRole('button', { name: '中文' }).click();
        await page.getByText('已回退：启动 3 次后仍不正常').waitFor();
        await page.getByRole('button', { name: 'English' }).click();
        await page.getByRole('listitem').filter({ hasText: '.raucb' }).getByRole('button', { name: 'View' }).click();
        await page.getByRole('dialog').getByRole('heading', { name: 'Program 99.0.0' }).waitFor();
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Roll back to the previous version' }).click();
        await page.getByRole('dialog').getByText('Records since the update are kept.').waitFor();
        await page.getByRole('button', { name: 'Roll back and restart' }).click();
        await page.locator('.sentence', { hasText: 'Updating to 0.0.9 …' }).waitFor();
      }));

    test('a viewer reads it and may do nothing of it', () =>
      withBox(async (box, _folder, bus) => {
        await raucOn(bus);
        const page = await opened(box, 'li');
        await page.getByText('Only an administrator can install updates.').waitFor();
        await page.getByText('slot A').waitFor();
        expect(await page.getByRole('button', { name: 'Upload', exact: true }).count()).toBe(0);
        const headers = { origin: urlOf(box) };
        for (const [method, path] of [
          ['POST', '/update'],
          ['POST', '/update/rollback'],
          ['PUT', '/update/bundle'],
        ] as const) {
          const answer = await page.request.fetch(`/admin/v1${path}`, { method, headers });
          expect([path, answer.status()]).toEqual([path, 403]);
        }
      }));
  });
});
