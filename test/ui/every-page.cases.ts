import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Look, TestBrowser } from '../support/browser.ts';
import { everyPage } from '../support/every-page.ts';
import type { BoxProcess } from '../support/program.ts';
import { smallTargets } from '../support/targets.ts';
import { aUiBox, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

export interface NamedLook extends Look {
  readonly name: string;
}

/** A browser, and a box with a few records in it. */
export interface LookedAt extends AsyncDisposable {
  readonly browser: TestBrowser;
  readonly box: BoxProcess;
}

export async function lookedAt(): Promise<LookedAt> {
  await using parts = new AsyncDisposableStack();
  const browser = parts.use(await TestBrowser.open());
  const box = parts.use(await aUiBox());
  const terminals = await terminalsAt(box, { recordsMax: 10 });
  await until('the terminals have said something', async () => (await box.export('checkins')).length >= 10);
  await terminals.stop();
  const held = parts.move();
  return { browser, box, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/**
 * Chromium looks for a favicon by itself, and keeps no page of a box whose certificate it was only
 * told to pass over (`installed.long.test.ts` has one that it trusts).
 */
const isOfBrowser = (message: string): boolean =>
  message.includes('favicon') || / error occurred when fetching the script\.$/.test(message);

/** The findings of axe. On a phone all that can be pressed is as large as a fingertip. */
export async function findingsOf(page: Page, { width = 1280 }: Look): Promise<string[]> {
  const small = width < 760 ? (await smallTargets(page)).map(one => `too small to press: ${one}`) : [];
  return [...(await axeFindings(page)), ...small];
}

export async function signIn(page: Page): Promise<void> {
  await enterAs('mei', page);
  await page.locator('.path .station').first().waitFor();
}

/** Opens a page and waits for what it shows: while that is on its way, it says so. */
export async function opens(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('main :is(.sentence, .wall)').first().waitFor();
  await page.locator('main [role=status]:text-matches("Loading|正在加载")').first().waitFor({ state: 'detached' });
}

/**
 * `pathsOf`: the pages that are looked at in a look, each of which `looks` has once at least; all of
 * them unless given.
 */
export function everyPageCases(
  looks: readonly NamedLook[],
  site: () => LookedAt,
  pathsOf: (look: NamedLook) => readonly string[] = () => everyPage,
): void {
  describe.each(looks)('in $name', look => {
    test('axe finds nothing at WCAG 2.2 AA, nothing goes sideways, a fingertip hits what can be pressed, nothing is asked of anybody else, no error is logged', async () => {
      const { browser, box } = site();
      const page = await browser.page(urlOf(box), look);
      const errors: string[] = [];
      page.on('pageerror', error => errors.push(`${page.url()}: ${error.message}`));
      page.on('console', message => {
        if (message.type() === 'error' && !isOfBrowser(message.text())) errors.push(`${page.url()}: ${message.text()}`);
      });
      await page.goto('/');
      expect(await findingsOf(page, look)).toEqual([]);
      await signIn(page);
      const findings: string[] = [];
      for (const path of pathsOf(look)) {
        await opens(page, path);
        const wide = await page.locator('html').evaluate(html => html.scrollWidth - html.clientWidth);
        if (wide > 0) findings.push(`${path}: ${wide} px wider than the screen`);
        findings.push(...(await findingsOf(page, look)).map(one => `${path}: ${one}`));
      }
      expect(findings).toEqual([]);
      expect(errors).toEqual([]);
      expect(page.foreign).toEqual([]);
    });
  });
}
