import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BoxStatus } from '../../src/admin/index.ts';
import type { DeviceCounts } from '../../src/admin/ui/device-rows.ts';
import type { TodayReport } from '../../src/admin/ui/today.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aUiBox, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

async function signIn(page: Page, path: string, name = 'mei'): Promise<void> {
  await page.goto(path);
  await enterAs(name, page);
  await page.locator('.path .station').first().waitFor();
}

const languages = [
  { locale: 'en-US', away: 'not responding', here: /of \d+ online/, silent: '1 of 1', pages: ['Devices', 'People'] },
  { locale: 'zh-CN', away: '没有响应', here: /台在线/, silent: '离线', pages: ['设备', '人员'] },
] as const;

suiteWithBrowser('pages of a box that goes away and comes back', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test.each(languages)('say so at the top, show no green, and go on by themselves ($locale)', async look => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box), look);
    await signIn(page, '/');
    await page.locator('.path').getByText(look.here).waitFor();
    // Killed, as by a power cut, or stopped in order.
    await (look.locale === 'zh-CN' ? box.kill9() : box.stop());
    await page.locator('.path').getByText(look.away).waitFor();
    expect(await page.locator('.path .track:not(.none)').count()).toBe(0);
    // A page that was not opened before: its code cannot be fetched now.
    await page.getByRole('navigation').first().getByRole('link', { name: look.pages[0], exact: true }).click();
    await page.getByRole('navigation').first().getByRole('link', { name: look.pages[1], exact: true }).click();
    await page.locator('main [role=status]').first().waitFor({ state: 'attached' });
    await box.start();
    await page.locator('.path').getByText(look.here).waitFor();
    await page.locator('main .sentence').waitFor();
    await until('the table is back', async () => (await page.locator('main table tbody tr').count()) > 0);
    expect(await page.locator('main [role=alert]').count()).toBe(0);
  });

  test('a page that is opened while the box starts waits for it', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await page.goto('/');
    await page.locator('input[name=name]').waitFor();
    await page.route('**/admin/v1/session', route => route.abort());
    await page.reload();
    await page.getByText('This page continues').waitFor();
    await page.unroute('**/admin/v1/session');
    await page.locator('input[name=name]').waitFor();
  });

  test.each([
    ['style sheet', /\/ui\/style-.*\.css$/],
    ['code', /\/ui\/app-.*\.js$/],
  ])('a page whose %s does not arrive fetches it again', async (_what, file) => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    let refused = 0;
    await page.route(file, route => (refused++ < 2 ? route.abort() : route.continue()));
    await signIn(page, '/people');
    expect(refused).toBeGreaterThan(1);
    await page.locator('main .sentence').waitFor();
    // Only the style sheet hides what is for paper alone.
    expect(await page.locator('.print-head').isVisible()).toBe(false);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  test('the sentence and the table of Today change together when a device goes', async () => {
    await using box = await aUiBox();
    const terminals = await terminalsAt(box, { count: 1, recordsMax: 5 });
    await until('it has punched', async () => (await box.export('checkins')).length > 0);
    const page = await browser.page(urlOf(box));
    await signIn(page, '/');
    await page.locator('.sentence', { hasText: / is waiting for approval to receive personal data$/ }).waitFor();
    await terminals.stop();
    await page.locator('.sentence', { hasText: / is offline · since \d\d:\d\d$/ }).waitFor();
    expect(await page.getByRole('table', { name: 'Offline devices' }).locator('tbody tr').count()).toBe(1);
    const [status, today, counts, list] = (await page.evaluate(
      `Promise.all(['/status', '/today', '/device-counts', '/device-list?state=silent'].map(async path => (await fetch('/admin/v1' + path)).json()))`,
    )) as [BoxStatus, TodayReport, DeviceCounts, { rows: unknown[] }];
    expect([today.status.devices.states, counts.states]).toEqual([status.devices.states, status.devices.states]);
    expect(list.rows).toHaveLength(status.devices.states.silent);
  });

  test('pages, status, alerts and /metrics count devices, refusals and what waits by the same rules', async () => {
    await using box = await aUiBox({ listen: { metrics: '127.0.0.1:0' } });
    const [staying, leaving, refused] = await Promise.all([
      terminalsAt(box, { count: 1, recordsMax: 1 }),
      terminalsAt(box, { count: 2, firstSerial: 'A0100', recordsMax: 1 }),
      terminalsAt(box, { count: 1, product: 'FACE-T9', recordsMax: 1 }),
    ]);
    const page = await browser.page(urlOf(box));
    await signIn(page, '/');
    const ask = async (path: string) => (await page.request.get(`/admin/v1${path}`)).json();
    await until('all are here', async () => ((await ask('/status')) as BoxStatus).devices.states.online === 3);
    await leaving.stop();
    await until('two are silent, and one is refused', async () => {
      const { devices } = (await ask('/status')) as BoxStatus;
      return devices.states.silent === 2 && devices.refused === 1;
    });
    const commandLine = JSON.parse(await box.ask('status', '--json')) as BoxStatus;
    const [today, counts, live] = [await ask('/today'), await ask('/device-counts'), await ask('/status')];
    const metrics = await (await fetch(`http://${box.addresses.metrics}/metrics`)).text();
    const gauge = (name: string) => Number(new RegExp(`^gatehouse_${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
    const { states, known, online, held_back, refused: notLetIn } = commandLine.devices;
    expect(states).toMatchObject({ online: 1, silent: 2, never: 0, blocked: 0 });
    expect([online, held_back]).toEqual([states.online, states.held_back]);
    expect([notLetIn, live.devices.refused, today.status.devices.refused]).toEqual([1, 1, 1]);
    expect([live.devices.states, today.status.devices.states, counts.states]).toEqual([states, states, states]);
    expect({
      ...{ known: gauge('devices_known'), online: gauge('devices_online'), silent: gauge('devices_silent') },
      ...{ refused: gauge('devices_refused'), never: gauge('devices_never_seen'), blocked: gauge('devices_blocked') },
      ...{ elsewhere: gauge('devices_elsewhere'), held_back: gauge('devices_held_back') },
    }).toEqual({ ...states, known, refused: notLetIn });
    await page.goto('/devices');
    await page.locator('main table tbody tr').first().waitFor();
    const figures = (await page.locator('main').allInnerTexts()).join(' ');
    expect(figures.replaceAll(/\s+/g, ' ')).toMatch(/online 1 \/ 3.*offline 2.*rejected 1/i);
    await page.goto('/wall');
    await page.getByText('2 devices are offline').waitFor();
    await Promise.all([staying.stop(), refused.stop()]);
  });

  test('the focus returns to the button of a dialog, and Escape does not lose what was typed', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await signIn(page, '/integrations');
    const add = page.getByRole('button', { name: 'Add API key' });
    await add.click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await until('the focus is where it was', async () => (await focused()) === 'Add API key');
    await add.click();
    await page.getByLabel('Name').fill('Canteen');
    await page.keyboard.press('Escape');
    await page.getByText('Discard changes?').waitFor();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Canteen');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    // Without an id the box makes one.
    await page
      .getByRole('dialog')
      .getByText(/^attendance-[0-9a-f]{8}$/)
      .waitFor();
  });

  test('an address that is no page says so, with the way to Today', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await signIn(page, '/');
    const answer = await page.goto('/no-such-page');
    expect(answer!.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.locator('main').getByRole('link', { name: 'Today' }).click();
    await page.waitForURL('**/');
    await until('the title is that of Today', async () => (await page.title()) === 'Today · Plant 4');
    await page.goto('/system/users');
    await until('the title names the part', async () => (await page.title()) === 'Users · System · Plant 4');
  });
});
