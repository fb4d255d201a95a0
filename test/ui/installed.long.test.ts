import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aCertificate } from '../support/certificate.ts';
import type { BoxProcess } from '../support/program.ts';
import { smallTargets } from '../support/targets.ts';
import { adminPassword, aUiBox, enterAs } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

/** As these browsers call themselves. */
const userAgents = {
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  chrome:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/137.0.7151.107 Mobile/15E148 Safari/604.1',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
};

suiteWithBrowser('a browser that does not trust the certificate', () => {
  test('keeps no shell, logs no error, is no refused device, and is told how to trust it', async () => {
    await using browser = await TestBrowser.open();
    await using box = await aUiBox();
    const page = await browser.page(`https://${box.addresses.https}`);
    const errors: string[] = [];
    page.on('console', message => message.type() === 'error' && errors.push(message.text()));
    await page.goto('/');
    await page.getByLabel('Name').fill('mei');
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.path .station').first().waitFor();
    // The first page finds out: the browser of a test accepts what a person has to click through.
    const isKnown = () =>
      page.evaluate<boolean>(
        "fetch('/admin/v1/session').then(answer => answer.json()).then(one => one.certificate_refused)",
      );
    await until('the box knows that the certificate is refused', isKnown);
    errors.length = 0;
    for (const path of ['/people', '/devices', '/system/certificates']) {
      await page.goto(path);
      await page.locator('main .sentence').waitFor();
      await page.waitForLoadState('networkidle');
    }
    expect(errors).toEqual([]);
    await page.getByText('This browser does not trust the certificate yet.').waitFor();
    expect((await (await page.request.get('/admin/v1/refused-devices')).json()).rows).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/not-trusted.png` });
  });
});

suiteWithBrowser('the pages as an installed program', () => {
  let browser: TestBrowser;
  let box: BoxProcess;
  let way: WayToBox;
  beforeAll(async () => {
    browser = await TestBrowser.open({ trustsAll: true });
    box = await aUiBox();
    way = await WayToBox.open(box.addresses.https!);
  });
  beforeEach(() => way.serveAs('', ''));
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await way?.close();
    await box?.[Symbol.asyncDispose]();
  });

  test('can be installed under the name of the site, with icons that a home screen may cut', async () => {
    const page = await keptBy(browser, way);
    const cdp = await page.context().newCDPSession(page);
    const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
    // A context of the tests is a private window.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter(id => id !== 'in-incognito')).toEqual([]);
    const { errors, data } = await cdp.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const { name, display, icons } = JSON.parse(data!);
    expect({ name, display }).toEqual({ name: 'Plant 4', display: 'standalone' });
    expect(icons.map(({ sizes, purpose }: Record<string, string>) => `${purpose} ${sizes}`).sort()).toEqual([
      'any 192x192',
      'any 512x512',
      'maskable 192x192',
      'maskable 512x512',
    ]);
    await page.context().close();
  });

  test('open while the box is away, say so, and go on when it answers; the browser keeps no answer of the API', async () => {
    const page = await keptBy(browser, way);
    await page.goto('/people');
    await page.getByText('Li Mei').first().waitFor();
    expect(await keptPaths(page)).toEqual(expect.arrayContaining(['/', expect.stringMatching(/^\/ui\/style-/)]));
    expect((await keptPaths(page)).filter(path => path !== '/' && !path.startsWith('/ui/'))).toEqual([]);
    await way.cut();
    await page.goto('/devices');
    await page.getByText('The gateway is not responding. This page continues').waitFor();
    expect(await page.locator('.page-name').textContent()).toBe('Devices');
    await way.join();
    await page.locator('main :is(.sentence, .wall)').first().waitFor();
    await page.context().close();
  });

  test('are replaced by those of a new version at the next visit, and nothing of the old one is kept', async () => {
    const page = await keptBy(browser, way);
    const old = await versionOf(page);
    way.serveAs(old, 'NEWER123');
    // A browser looks for a new version at each visit, and not again when one failed.
    const visit = async () => {
      await page.goto('/people', { waitUntil: 'commit' });
      await until(
        'the new version has taken over',
        async () => (await namesOfKept(page)) === 'gatehouse-shell-NEWER123',
      );
    };
    await visit().catch(visit);
    expect(await versionOf(page)).toBe('NEWER123');
    await page.context().close();
  });

  test('a page that is open while the box gets a new version is loaded again', async () => {
    const page = await keptBy(browser, way);
    const old = await versionOf(page);
    way.serveAs(old, 'NEWER456');
    await way.cut();
    await page.getByText('not responding').filter({ visible: true }).first().waitFor();
    await way.join();
    await page.locator('html[data-version=NEWER456]').waitFor({ state: 'attached' });
    await page.context().close();
  });

  test('offer to be installed on a phone until somebody refuses', async () => {
    const page = await keptBy(browser, way);
    const offers = `(() => {
      const offer = new Event('beforeinstallprompt');
      offer.prompt = () => Promise.resolve(document.body.dataset.asked = 'yes');
      dispatchEvent(offer);
    })()`;
    const banner = page.getByRole('region', { name: 'Home screen' });
    await page.evaluate(offers);
    await banner.getByText('Add Plant 4 to the home screen').waitFor();
    await banner.getByRole('button', { name: 'Install' }).click();
    await page.locator('body[data-asked=yes]').waitFor();
    expect(await banner.count()).toBe(0);
    await page.evaluate(offers);
    await banner.getByRole('button', { name: 'Never on this device' }).click();
    await page.goto('/');
    await page.locator('main :is(.sentence, .wall)').first().waitFor();
    await page.evaluate(offers);
    expect(await banner.count()).toBe(0);
    await page.context().close();
  });

  test.each([
    [
      'en-US',
      'Home screen',
      'Add Plant 4 to the home screen to open it like an app: tap Share',
      'Never on this device',
    ],
    ['zh-CN', '主屏幕', '把“Plant 4”放到主屏幕，像应用一样打开：点按“分享”', '不再提示'],
  ] as const)('on an iPhone say how, in %s, until somebody refuses', async (locale, label, text, never) => {
    const page = await browser.page(way.url, { width: 390, locale, userAgent: userAgents.safari });
    await signIn(page);
    const banner = page.getByRole('region', { name: label });
    await banner.getByText(text).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    expect(await banner.getByRole('button').allTextContents()).toEqual([never]);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/iphone-${locale}.png` });
    await page.reload();
    await banner.getByRole('button', { name: never }).click();
    expect(await banner.count()).toBe(0);
    await page.reload();
    await page.locator('.path .station').first().waitFor();
    expect(await banner.count()).toBe(0);
    await page.context().close();
  });

  test.each([
    ['Chrome of an iPhone', userAgents.chrome, ''],
    ['Safari of a Mac', userAgents.mac, ''],
    ['Safari that runs it from the home screen', userAgents.safari, 'navigator.standalone = true'],
  ])('say nothing of it in %s', async (_which, userAgent, before) => {
    const page = await browser.page(way.url, { width: 390, userAgent });
    await page.addInitScript(before);
    await signIn(page);
    expect(await page.getByRole('region', { name: 'Home screen' }).count()).toBe(0);
    await page.context().close();
  });
});

async function signIn(page: Page): Promise<void> {
  await page.goto('/');
  await enterAs('mei', page);
  await page.locator('.path .station').first().waitFor();
}

/** A phone that is signed in, and whose browser keeps the shell. */
async function keptBy(browser: TestBrowser, way: WayToBox): Promise<Page> {
  const page = await browser.page(way.url, { width: 390 });
  await signIn(page);
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await until('the service worker has the page', () =>
    page.evaluate<boolean>('navigator.serviceWorker.controller !== null'),
  );
  return page;
}

const versionOf = async (page: Page): Promise<string> => (await page.locator('html').getAttribute('data-version'))!;

const namesOfKept = (page: Page): Promise<string> => page.evaluate('caches.keys().then(names => names.join())');

const keptPaths = (page: Page): Promise<string[]> =>
  page.evaluate(`caches.keys()
    .then(names => Promise.all(names.map(name => caches.open(name).then(store => store.keys()))))
    .then(found => found.flat().map(({ url }) => new URL(url).pathname))`);

/**
 * Stands between the browser and the box: can be cut, and gives the shell the name of another
 * version, as an update of the box does.
 */
class WayToBox {
  readonly url: string;
  readonly #server: Server;
  #version: readonly [old: string, shown: string] = ['', ''];
  readonly #port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    this.url = `https://127.0.0.1:${port}`;
  }

  static async open(box: string): Promise<WayToBox> {
    const [host, boxPort] = box.split(':');
    const server = createServer(await aCertificate());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const way = new WayToBox(server, (server.address() as AddressInfo).port);
    server.on('request', (call, response) => {
      const isShell =
        call.url === '/service-worker.js' || call.headers.accept?.includes('text/html') || call.url === '/';
      const headers = { ...call.headers, ...(isShell ? { 'accept-encoding': 'identity' } : {}) };
      const { url: path, method } = call;
      const asked = request({ host, port: boxPort, path, method, headers, rejectUnauthorized: false }, answer => {
        if (!isShell) {
          response.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(response);
          return;
        }
        const parts: Buffer[] = [];
        answer.on('data', part => parts.push(part));
        answer.on('end', () => {
          const [old, shown] = way.#version;
          const text = Buffer.concat(parts).toString();
          const { 'content-length': _, ...rest } = answer.headers;
          response.writeHead(answer.statusCode!, rest).end(old === '' ? text : text.replaceAll(old, shown));
        });
      });
      asked.on('error', () => response.destroy());
      response.on('close', () => asked.destroy());
      call.pipe(asked);
    });
    return way;
  }

  /** From now on `old` is called `shown`. */
  serveAs(old: string, shown: string): void {
    this.#version = [old, shown];
  }

  async cut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async join(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
