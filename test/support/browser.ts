import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core';
import { TestRunner } from 'vitest';
import { checkAnswer } from './openapi.ts';
import { suiteWhere } from './tools.ts';

/** Debian's package: nothing is downloaded. The shell without windows takes a fifth less time. */
const executable = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map(name => `/usr/bin/${name}`)
  .find(path => existsSync(path));
const install = 'apt-get install chromium-headless-shell fonts-noto-cjk';

/** A suite that needs a browser. Named as skipped where there is none. */
export function suiteWithBrowser(name: string, body: () => void): void {
  suiteWhere(executable !== undefined, `needs chromium: ${install}`, name, body);
}

/** For what hangs alone, and less than a test has: a page that hangs says where it stands. */
const waitMs = 600_000;

/** For `expect.poll`, which else gives a page one second. */
export const patient = { timeout: waitMs };

export interface Look {
  readonly locale?: 'en-US' | 'zh-CN';
  readonly width?: number;
  readonly dark?: boolean;
  /** What the browser calls itself. */
  readonly userAgent?: string;
}

/** `npm run test:nightly -- looks`: what a run in CI does in some looks is done in all of them. */
export const inAllLooks = process.env.LOOKS === 'all';

/** A browser of the tests' own; each page has a context that shares nothing with the others. */
export class TestBrowser implements AsyncDisposable {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * `trustsAll`: a service worker is only kept where the browser trusts the certificate, for which
   * what a page ignores is not enough.
   */
  static async open({ trustsAll = false } = {}): Promise<TestBrowser> {
    if (!executable) throw new Error(`there is no chromium: ${install}`);
    return new TestBrowser(
      await chromium.launch({
        executablePath: executable,
        args: ['--no-sandbox', '--disable-dev-shm-usage', ...(trustsAll ? ['--ignore-certificate-errors'] : [])],
      }),
    );
  }

  /**
   * Opens the web UI of a box. Requests to other hosts are collected in `foreign`, which a test can
   * check.
   */
  async page(base: string, look: Look = {}): Promise<Page & { readonly foreign: string[] }> {
    const context: BrowserContext = await this.#browser.newContext({
      baseURL: base,
      ignoreHTTPSErrors: true,
      locale: look.locale ?? 'en-US',
      colorScheme: look.dark ? 'dark' : 'light',
      viewport: { width: look.width ?? 1280, height: 900 },
      reducedMotion: 'reduce',
      ...(look.userAgent === undefined ? {} : { userAgent: look.userAgent }),
    });
    const page = await context.newPage();
    page.setDefaultTimeout(waitMs);
    sayWhereItStands(page);
    const foreign: string[] = [];
    page.on('request', request => {
      const url = request.url();
      if (!url.startsWith(base) && !/^(data|blob):/.test(url)) foreign.push(url);
    });
    page.on('response', response => void checkResponse(response));
    return Object.assign(page, { foreign });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/** When the test fails: where the page is, what it shows, and what it asked for and did not get. */
function sayWhereItStands(page: Page): void {
  const unanswered = new Set<string>();
  page.on('request', request => unanswered.add(request.url()));
  page.on('requestfinished', request => unanswered.delete(request.url()));
  page.on('requestfailed', request => unanswered.delete(request.url()));
  const context = TestRunner.getCurrentTest()?.context;
  const say = async () => {
    const shown = await page.evaluate<string>('document.body.innerText.slice(0, 400)').catch(String);
    process.stderr.write(`the page was at ${page.url()}, without an answer to [${[...unanswered]}]: ${shown}\n`);
  };
  context?.signal.addEventListener('abort', () => void say());
  context?.onTestFailed(say);
}

/** An answer that does not match /openapi.json is an unhandled rejection, which fails the run. */
async function checkResponse(response: Response): Promise<void> {
  const { pathname } = new URL(response.url());
  if (!pathname.startsWith('/admin/v1/') || response.headers()['content-type'] !== 'application/json') return;
  // The answers of a page that was left are gone.
  const body = await response.json().catch(() => undefined);
  if (body !== undefined)
    checkAnswer(response.request().method(), pathname.slice('/admin/v1'.length), response.status(), body);
}
