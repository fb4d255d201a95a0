import type { Locator, Page } from 'playwright-core';

/** Ring around what has the focus, drawn by it or by its `::after`; empty: there is one, else what lacks it. */
const lacksRing = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body || one.id === 'content') return '';
  const isDrawn = ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  const rings = [getComputedStyle(one), getComputedStyle(one, '::after')];
  return rings.some(isDrawn) ? '' : one.outerHTML.slice(0, 160);
})()`;

/** More stops than a page has. */
const stopsMax = 600;

/** Walks to it as somebody without a mouse does; each stop on the way has to be seen. */
export async function walkTo(page: Page, what: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await what.waitFor();
  for (let stops = 0; stops < stopsMax; stops++) {
    const hidden = await page.evaluate<string>(lacksRing);
    if (hidden !== '') throw new Error(`nobody sees that this has the focus: ${hidden}`);
    if (await what.evaluate(one => one.matches(':focus'))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${what}`);
}

/** Walks to it, and presses it. */
export async function pressByKey(page: Page, what: Locator): Promise<void> {
  await walkTo(page, what);
  await page.keyboard.press('Enter');
}
