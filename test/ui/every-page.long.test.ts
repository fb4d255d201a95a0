import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inAllLooks, suiteWithBrowser } from '../support/browser.ts';
import { everyPage } from '../support/every-page.ts';
import { urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';
import {
  everyPageCases,
  findingsOf,
  type LookedAt,
  lookedAt,
  type NamedLook,
  opens,
  signIn,
} from './every-page.cases.ts';

// Every dialog of every page is opened: 100 s and more on a busy machine.
/**
 * Both languages, schemes and widths. `every-page.nightly.test.ts` has the other pairs of them. A
 * run in CI looks at each page in one of them, in turn: what a scheme or a width does wrong, it does
 * on many pages.
 */
const looks: readonly NamedLook[] = [
  { name: 'English, light, 1280 px', width: 1280 },
  { name: 'Chinese, dark, 360 px', width: 360, locale: 'zh-CN', dark: true },
];

const pathsOf = (look: NamedLook): readonly string[] =>
  inAllLooks ? everyPage : everyPage.filter((_path, index) => index % looks.length === looks.indexOf(look));
/** Dialogs that some page of a look opens. */
const dialogsMin = inAllLooks ? 12 : 3;

/** What a press before began may take a button away, such as the last approval that takes "all". */
const unlessGone = (button: Locator) => async (error: unknown) => {
  if ((await button.count()) > 0) throw error;
};

/** Different texts. Those that differ by numbers alone open one dialog, as the days of a month do. */
const eachOnce = (texts: readonly string[]): string[] =>
  [
    ...new Map(
      texts
        .map(one => one.trim())
        .filter(Boolean)
        .reverse()
        .map(one => [one.replace(/\d+/g, '0'), one]),
    ).values(),
  ].reverse();

const drawn = 'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Text of which a part is out of sight and cannot be scrolled to. The axis of a picture is in its table. */
const cutOff = `[...document.querySelectorAll('main *, .rail *')].filter(one => {
  const { overflowX, textOverflow, clipPath } = getComputedStyle(one);
  const hides = /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis' && clipPath === 'none';
  return hides && !one.matches('.axis') && one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 2 && one.textContent.trim() !== '';
}).map(one => one.outerHTML.slice(0, 120))`;

/** As a browser does that enlarges text alone. */
const twiceAsLarge = `(() => {
  const all = [...document.querySelectorAll('body, body *')].map(one => [one, getComputedStyle(one)]);
  const sizes = all.map(([one, { fontSize, lineHeight }]) => [one, parseFloat(fontSize), parseFloat(lineHeight)]);
  for (const [{ style }, size, line] of sizes) {
    style.fontSize = 2 * size + 'px';
    if (!Number.isNaN(line)) style.lineHeight = 2 * line + 'px';
  }
})()`;

/**
 * Returns what resolves when all that a press began is fetched and drawn. A stream counts as fetched
 * when it begins.
 */
function settling(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  page.on('request', request => void underWay.add(request));
  page.on('response', response => {
    if (/stream|ndjson/.test(response.headers()['content-type'] ?? '')) underWay.delete(response.request());
  });
  const ended = (request: Request) => void underWay.delete(request);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  return async () => {
    do {
      await page.evaluate(drawn);
      await until('nothing is fetched', () => underWay.size === 0);
      await page.evaluate(drawn);
    } while (underWay.size > 0);
  };
}

suiteWithBrowser('every page', () => {
  let site: LookedAt;
  beforeAll(async () => {
    site = await lookedAt();
  });
  afterAll(() => site?.[Symbol.asyncDispose]());

  everyPageCases(looks, () => site, pathsOf);

  test.each(looks)(
    'in $name axe finds nothing in any dialog or menu, a fingertip hits its buttons, the keyboard is in it, and Escape closes it',
    async look => {
      const page = await site.browser.page(urlOf(site.box), look);
      const settled = settling(page);
      await page.goto('/');
      await signIn(page);
      const dialog = page.locator('dialog[open]');
      const items = page.locator('.menu-items button:visible');
      const seen = new Set<string>();
      const findings: string[] = [];
      const lookAtDialog = async (path: string) => {
        if ((await dialog.count()) === 0) return;
        const heading = (await dialog.locator('h1').textContent())!;
        const title = `${path}: ${heading}`;
        // The search opens on every page: axe looks at it once.
        if (!seen.has(heading)) findings.push(...(await findingsOf(page, look)).map(one => `${title}: ${one}`));
        seen.add(heading);
        const inside = await page.evaluate('document.activeElement.closest("dialog") !== null');
        if (!inside) findings.push(`${title}: the keyboard is not in it`);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' }).catch(() => {
          findings.push(`${title}: Escape does not close it`);
        });
        if ((await dialog.count()) > 0) await page.goto(path);
      };
      /** Leaves it closed, and the focus on its button. */
      const lookAtMenu = async (path: string, button: Locator) => {
        const title = `${path}: ${await button.getAttribute('aria-label')}`;
        findings.push(...(await findingsOf(page, look)).map(one => `${title}: ${one}`));
        const names = await items.allTextContents();
        seen.add('a menu');
        for (const place of names.keys()) {
          if (place > 0) await button.click();
          await page.keyboard.press('Home');
          for (let down = 0; down < place; down++) await page.keyboard.press('ArrowDown');
          const at = await page.evaluate<string>('document.activeElement.textContent');
          if (at !== names[place]) findings.push(`${title}: the keyboard is on "${at}", not on "${names[place]}"`);
          await page.keyboard.press('Enter');
          await settled();
          await lookAtDialog(path);
          await until('the menu has the focus again', () => button.evaluate(one => one.matches(':focus')));
        }
        await button.click();
        await page.keyboard.press('Escape');
        if ((await items.count()) > 0) findings.push(`${title}: Escape does not close it`);
      };
      for (const path of pathsOf(look)) {
        await opens(page, path);
        const buttons = await page.locator('main button:enabled:visible').allInnerTexts();
        for (const text of eachOnce(buttons)) {
          const button = page.locator('main button:enabled:visible').filter({ hasText: text }).first();
          if ((await button.count()) === 0) continue;
          await button.click().catch(unlessGone(button));
          await settled();
          await lookAtDialog(path);
          if ((await items.count()) > 0) await lookAtMenu(path, button);
        }
      }
      expect(findings).toEqual([]);
      expect([...seen].length).toBeGreaterThanOrEqual(dialogsMin);
    },
  );

  test('at 200 % and 400 % no page goes sideways, and with letters of twice the size none is cut off', async () => {
    const page = await site.browser.page(urlOf(site.box));
    await page.goto('/');
    await signIn(page);
    const findings: string[] = [];
    const lookAt = async (what: string) => {
      await page.evaluate(drawn);
      const wide = await page.locator('html').evaluate(html => html.scrollWidth - html.clientWidth);
      if (wide > 0) findings.push(`${what}: ${wide} px wider than the screen`);
      findings.push(...(await page.evaluate<string[]>(cutOff)).map(one => `${what}: cut off: ${one}`));
    };
    for (const path of everyPage) {
      // A browser of 1280 px that is zoomed has so many left: WCAG 1.4.10.
      await page.setViewportSize({ width: 640, height: 450 });
      await opens(page, path);
      await lookAt(`${path} at 200 %`);
      await page.setViewportSize({ width: 320, height: 256 });
      await lookAt(`${path} at 400 %`);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.evaluate(twiceAsLarge);
      await lookAt(`${path} with large letters`);
    }
    expect(findings).toEqual([]);
  });

  test('the first view is small: under 45 kB of JavaScript and 12 kB of styles, as they travel', async () => {
    const page = await site.browser.page(urlOf(site.box));
    const bytes = { js: 0, css: 0 };
    const pending: Promise<void>[] = [];
    page.on('response', response => {
      const kind = /\.(js|css)$/.exec(new URL(response.url()).pathname)?.[1] as 'js' | 'css' | undefined;
      if (kind)
        pending.push(
          response
            .request()
            .sizes()
            .then(({ responseBodySize }) => {
              bytes[kind] += responseBodySize;
            }),
        );
    });
    await page.goto('/');
    await page.locator('input[name=name]').waitFor();
    await Promise.all(pending);
    expect(bytes.js).toBeGreaterThan(0);
    expect(bytes.js).toBeLessThan(45_000);
    expect(bytes.css).toBeLessThan(12_000);
  });
});
