import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The findings of axe on the page as it is now, one line each; empty if there are none. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The page's own policy forbids foreign scripts, so the debugger injects it, as a browser
  // extension would.
  if (await page.evaluate<boolean>('typeof axe === "undefined"')) await page.evaluate(source);
  // What passed is thousands of nodes: to bring them out of the browser takes as long as the look.
  const options = JSON.stringify({ runOnly: tags, resultTypes: ['violations'] });
  const violations = (await page.evaluate(
    `axe.run(document, ${options}).then(found => found.violations)`,
  )) as readonly Finding[];
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary?.slice(0, 200) ?? ''}`,
    ),
  );
}
