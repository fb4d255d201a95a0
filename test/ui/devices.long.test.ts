import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aCloud, upstreamTo } from '../support/cloud.ts';
import { adminPassword, aUiBox, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const soon = { retryMs: () => 300 };
/** A terminal of a product that the box has not heard of. */
const stranger = {
  product: 'GATE-X1',
  productKey: 'key-of-the-gates',
  model: 'GX1',
  firstSerial: 'K0001',
  count: 1,
  ...soon,
};

async function signIn(page: Page, path: string, name = 'mei'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(adminPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
}

/** Asks the admin API with the session of the page. */
const askAs = <T = unknown>(page: Page, method: string, path: string, body?: object): Promise<T> =>
  page.evaluate<T>(
    `fetch('/admin/v1${path}', ${JSON.stringify({
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    })}).then(answer => answer.json())`,
  );

const sentence = (page: Page) => page.locator('.sentence');
const rowOf = (page: Page, device: string) =>
  page.getByRole('table', { name: 'Devices' }).getByRole('row').filter({ hasText: device });

/** Presses a key until the focus is on what has this name, as somebody without a mouse does. */
async function pressTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (let pressed = 0; pressed < 60; pressed++) {
    const focused = await page.evaluate<string>(
      "(document.activeElement.labels?.[0] ?? document.activeElement).innerText.split('\\n')[0]",
    );
    if (focused.trim() === name) return;
    await page.keyboard.press(key);
  }
  throw new Error(`the keyboard does not get to "${name}"`);
}

suiteWithBrowser('the pages about devices', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('find the silent terminal and why', async () => {
    await using box = await aUiBox({}, { devices: [{ device_id: 'FACE-T1_A0001', name: 'Gate 3' }] });
    await using _speaks = await terminalsAt(box, { firstSerial: 'B0001', count: 1 });
    const leaves = await terminalsAt(box, { firstSerial: 'A0001', count: 1, logs: 5 });
    const page = await browser.page(urlOf(box));
    await signIn(page, '/devices');
    await page.getByText('All 2 devices online').waitFor();
    await until('it has said something', () => leaves.stats().acknowledged > 4);
    // Nothing is on its way to it when it goes: the rest would reset the connection.
    leaves.silence();
    await leaves.whenIdle();
    await leaves.stop();
    await page.getByText('1 of 2 devices offline').waitFor();

    await page.getByLabel('State').selectOption('silent');
    await rowOf(page, 'FACE-T1_B0001').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?state=silent');
    await page.getByRole('main').getByRole('link', { name: 'Gate 3', exact: true }).click();
    await expect
      .poll(() => sentence(page).textContent(), patient)
      .toMatch(/^Gate 3 offline since \d\d:\d\d:\d\d: the device closed the connection$/);
    const happened = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    expect(await happened.nth(0).textContent()).toMatch(/disconnected the device closed the connection$/);
    expect(await happened.nth(1).textContent()).toMatch(/connected MQTT from 127\.0\.0\.1$/);
    // Known for a minute: nothing is said of two weeks.
    const hours = page.getByRole('figure', { name: 'Uptime, last two weeks' });
    await hours
      .getByText(/^Not enough data yet|since/)
      .first()
      .waitFor();
    // The receipts of its punches, and the end of its log.
    await page
      .getByRole('table', { name: 'Recent records' })
      .getByRole('cell', { name: 'kept on this gateway' })
      .first()
      .waitFor();
    await page.getByRole('list', { name: 'Log' }).getByRole('listitem').first().waitFor();
    expect(page.foreign).toEqual([]);
  });

  test('what is searched for is found by name and by id, and the link can be sent', async () => {
    const devices = Array.from({ length: 120 }, (_, index) => ({
      device_id: `FACE-T1_C${String(index).padStart(4, '0')}`,
      name: index === 77 ? 'Canteen' : '',
    }));
    await using box = await aUiBox({}, { devices });
    const page = await browser.page(urlOf(box));
    await signIn(page, '/devices');
    const rows = page.getByRole('table', { name: 'Devices' }).locator('tbody tr');
    await expect.poll(() => rows.count(), patient).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count(), patient).toBe(100);
    await page.getByLabel('Name or ID').fill('canteen');
    await expect.poll(() => rows.count(), patient).toBe(1);
    expect(await rows.textContent()).toContain('FACE-T1_C0077');
    await page.goto('/devices?search=c003&state=never');
    await expect.poll(() => rows.count(), patient).toBe(10);
    expect(await page.getByLabel('Name or ID').inputValue()).toBe('c003');
  });

  test('adopt a refused device: its product is added, and it comes in by itself', async () => {
    await using box = await aUiBox();
    await using _refused = await terminalsAt(box, stranger);
    const page = await browser.page(urlOf(box));
    await signIn(page, '/devices');
    const refusedRow = page
      .getByRole('listitem')
      .filter({ hasText: 'No product with this product_id is known here (GATE-X1)' });
    await refusedRow.getByText('GATE-X1_K0001').waitFor();
    await refusedRow.getByRole('button', { name: 'Add product' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add product GATE-X1' });
    await dialog.getByLabel('Model').fill('GX1');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add product' }).click();
    expect(await dialog.isVisible(), 'the key is asked for').toBe(true);
    await dialog.getByLabel('Product key').fill(stranger.productKey);
    await dialog.getByLabel('Name').fill('Turnstile');
    await dialog.getByRole('button', { name: 'Add product' }).click();
    await page.getByText('Product GATE-X1 added.').waitFor();
    const row = rowOf(page, 'GATE-X1_K0001');
    await row.getByText('online').waitFor();
    expect(await row.textContent()).toContain('Turnstile');
    await refusedRow.waitFor({ state: 'detached' });
    // Who did it is written down, and never the key.
    const { rows } = await askAs<{ rows: { action: string; subject: string }[] }>(page, 'GET', '/audit');
    expect(rows).toContainEqual(expect.objectContaining({ action: 'PUT /products/GATE-X1', subject: 'GATE-X1' }));
    expect(JSON.stringify(rows)).not.toContain(stranger.productKey);
  });

  test('adopt a refused device by keyboard alone', async () => {
    await using box = await aUiBox();
    await using _refused = await terminalsAt(box, stranger);
    const page = await browser.page(urlOf(box));
    await signIn(page, '/devices');
    await page.getByText('No product with this product_id is known here (GATE-X1)').waitFor();
    await pressTo(page, 'Add product');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await pressTo(page, 'Add product');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await pressTo(page, 'Product key');
    await page.keyboard.type(stranger.productKey);
    await pressTo(page, 'Model');
    await page.keyboard.type('GX1');
    await page.keyboard.press('Enter');
    await page.getByText('Product GATE-X1 added.').waitFor();
    await rowOf(page, 'GATE-X1_K0001').getByText('online').waitFor();
  });

  test('a refused device stays in its place while somebody is about to press a button', async () => {
    await using box = await aUiBox();
    await using _goesOn = await terminalsAt(box, stranger);
    const page = await browser.page(urlOf(box));
    await signIn(page, '/devices');
    await page.getByText('No product with this product_id is known here (GATE-X1)').waitFor();
    const pauses = await terminalsAt(box, { ...stranger, product: 'GATE-X2' });
    const rows = page.getByRole('listitem').filter({ hasText: /^GATE-X/ });
    await expect.poll(() => rows.nth(0).textContent(), patient).toContain('GATE-X2');
    await rows.nth(0).getByRole('button').focus();
    await pauses.stop();
    await page.waitForResponse(async response => {
      if (!response.url().endsWith('/refused-devices')) return false;
      const ids: string[] = (await response.json()).rows.map((row: { client_id: string }) => row.client_id);
      return ids.indexOf('GATE-X1_K0001') < ids.indexOf('GATE-X2_K0001');
    });
    // A further answer: the one before it is on the page by then.
    await page.waitForResponse(response => response.url().endsWith('/refused-devices'));
    expect(await rows.nth(0).textContent()).toContain('GATE-X2');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Add product GATE-X2' }).waitFor();
  });

  test('a device with a key of its own is let in with it, and after a factory reset with the product key', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    {
      await using _refused = await terminalsAt(box, {
        productKey: 'its-own-key',
        firstSerial: 'W0001',
        count: 1,
        ...soon,
      });
      await signIn(page, '/devices');
      const row = page.getByRole('listitem').filter({ hasText: 'FACE-T1_W0001' });
      await row.getByText('The password was made with a key that is not known here').waitFor();
      await row.getByRole('button', { name: 'Set key' }).click();
      await page.getByLabel('Access key').fill('its-own-key');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Set key' }).click();
      await page.getByText('Key of FACE-T1_W0001 set.').waitFor();
      await rowOf(page, 'FACE-T1_W0001').getByText('online').waitFor();
    }
    await using _reset = await terminalsAt(box, { firstSerial: 'W0001', count: 1, ...soon });
    const row = page.getByRole('listitem').filter({ hasText: 'FACE-T1_W0001' });
    await row.getByRole('button', { name: 'Accept product key' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Accept product key' }).click();
    await page.getByText(/^Product key of FACE-T1_W0001 accepted until/).waitFor();
    await rowOf(page, 'FACE-T1_W0001').getByText('online').waitFor();
  });

  test('cut the line and read what the page says; restored, everything is sent', async () => {
    await using upstream = await aCloud({
      products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1' }],
    });
    await using box = await aUiBox({ upstream: upstreamTo(upstream) });
    await using terminals = await terminalsAt(box);
    const page = await browser.page(urlOf(box));
    await signIn(page, '/sync');
    const path = page.getByRole('list', { name: 'Data flow' });
    await path.getByText('connected').waitFor();
    await page.locator('.sentence', { hasText: 'Up to date' }).waitFor();

    await upstream.cloud.cut();
    await path.getByText('offline for').waitFor();
    await expect
      .poll(() => sentence(page).textContent(), patient)
      .toMatch(/^Cloud offline for \d+ s · \d+ queued, nothing lost$/);
    await page.getByText('Paused').waitFor();
    const queue = page.getByRole('table', { name: 'Queue by device' });
    await queue.getByRole('link', { name: 'FACE-T1_A0001' }).waitFor();
    terminals.silence();
    await queue.getByRole('link', { name: 'FACE-T1_A0002' }).click();
    await page.getByRole('cell', { name: 'queued' }).first().waitFor();

    await upstream.cloud.restore();
    await page.getByRole('link', { name: 'Sync' }).click();
    await page.locator('.sentence', { hasText: 'Up to date' }).waitFor();
    await path.getByText('up to date').waitFor();
    await terminals.whenIdle();
    for (const [device, said] of terminals.acknowledged())
      expect(upstream.cloud.arrivals.of(device).length, device).toBeGreaterThanOrEqual(said.length);
  });

  test('what the cloud refused is shown with its reason, and sent again', async () => {
    await using upstream = await aCloud({
      products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1' }],
    });
    await using box = await aUiBox({ upstream: upstreamTo(upstream) });
    upstream.cloud.refuseForGood(() => true);
    await using terminals = await terminalsAt(box, { count: 1, recordsMax: 1 });
    const page = await browser.page(urlOf(box));
    await signIn(page, '/sync');
    const parked = page.getByRole('table', { name: 'Rejected by the cloud' });
    await parked.getByText('the cloud closed the connection behind it three times in a row').waitFor();
    await page.getByText('1 record rejected by the cloud').waitFor();
    upstream.cloud.refuseForGood(null);
    await parked.getByRole('button', { name: 'Resend record 1' }).click();
    await page.getByText('Resending 1 record').waitFor();
    await page.locator('.sentence', { hasText: 'Up to date' }).waitFor();
    expect(upstream.cloud.arrivals.of(terminals.deviceIds[0]!)).toHaveLength(1);
  });

  test('staff settle what the cloud refused of the organization, and where both sides changed something', async () => {
    await using box = await aUiBox();
    await box.stop();
    const database = new DatabaseSync(join(box.dataDir, 'gatehouse.db'));
    database.exec(`
      INSERT INTO organization_write (at, caller, path, command, subject, sealed_body, refused_at, code, reason)
        VALUES (1795200000000, 'payroll', '/user', '', 'Zhang Wei', x'00', 1795200001000, 202, 'the department has employees');
      INSERT INTO organization_conflict (at, subject, cloud_side, box_side, fingerprint)
        VALUES (1795200000000, 'Li Na', '{"name":"Li Na","title":"Fitter"}', '{"name":"Li Na","title":"Foreman"}', 'f');
    `);
    database.close();
    await box.start();
    const page = await browser.page(urlOf(box));
    await signIn(page, '/sync', 'wang');
    await page.getByText('No cloud configured.').waitFor();
    const refused = page.getByRole('table', { name: 'Changes rejected by the cloud' });
    await refused.getByText('202 the department has employees').waitFor();
    const conflicts = page.getByRole('table', { name: 'Changed on both sides' });
    await conflicts.getByText('title: Foreman').waitFor();
    await conflicts.getByRole('button', { name: 'Dismiss Li Na' }).click();
    await page.getByText('Dismissed').waitFor();
    await conflicts.waitFor({ state: 'detached' });
    await refused.getByRole('button', { name: 'Dismiss Zhang Wei' }).click();
    await page.getByText('Managed on this gateway. Nothing to sync.').waitFor();
    expect(JSON.parse(await box.ask('attendance', 'status', '--json'))).toMatchObject({
      conflicts: [],
      writes: { waiting: 0, refused: [] },
    });
  });

  test('block a device: it leaves at once and stays out until it is let in again; it can be named', async () => {
    await using box = await aUiBox();
    await using terminals = await terminalsAt(box, { count: 1, ...soon });
    const page = await browser.page(urlOf(box));
    await signIn(page, '/devices/FACE-T1_A0001');
    await page.getByText(/^FACE-T1_A0001 online since/).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Gate 3');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByText(/^Gate 3 online since/).waitFor();

    await page.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await page.getByText('Gate 3 is blocked').waitFor();
    await until(
      'it is out and tries again',
      () => terminals.stats().connected === 0 && terminals.stats().reconnects > 1,
    );
    await page.getByText('disconnected blocked by an administrator').waitFor();

    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
    await page.getByText(/^Gate 3 online since/).waitFor();
  });

  test('whoever may only look sees no buttons, and the box refuses the changes', async () => {
    await using box = await aUiBox();
    await using _terminals = await terminalsAt(box, { count: 1 });
    await using _refused = await terminalsAt(box, stranger);
    const page = await browser.page(urlOf(box));
    await signIn(page, '/devices', 'li');
    await page.getByText('No product with this product_id is known here (GATE-X1)').waitFor();
    expect(await page.getByRole('button', { name: 'Add product' }).count()).toBe(0);
    await page.goto('/devices/FACE-T1_A0001');
    await page.getByText(/^FACE-T1_A0001 online since/).waitFor();
    expect(await page.getByRole('button', { name: /Block|Rename|Set key/ }).count()).toBe(0);
    const tried: readonly (readonly [string, string, object])[] = [
      ['PUT', '/devices/FACE-T1_A0001', { blocked: true }],
      ['POST', '/devices/FACE-T1_A0001/accept-product-key', {}],
      ['PUT', '/products/GATE-X1', { product_key: 'mine' }],
      ['POST', '/parked/send-again', { seq: null }],
    ];
    for (const [method, path, body] of tried)
      expect(await askAs(page, method, path, body), path).toMatchObject({
        status: 403,
        detail: 'this needs the role admin',
      });
    await page.reload();
    await page.getByText(/^FACE-T1_A0001 online since/).waitFor();
  });
});
