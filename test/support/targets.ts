import type { Page } from 'playwright-core';

/** WCAG 2.5.5: what can be pressed is at least so high and so wide, in CSS pixels. */
const atLeastPx = 44;

/**
 * A link among the words of a sentence is as high as its line, which WCAG excepts. What is drawn
 * small but can be pressed beside it, by its label or by a card that it fills, counts with that.
 */
const find = `(() => {
  const canBeHit = element => {
    const { visibility, pointerEvents } = getComputedStyle(element);
    const { width, height, right } = element.getBoundingClientRect();
    return !element.disabled && visibility === 'visible' && pointerEvents !== 'none' && width > 1 && height > 1 && right > 0;
  };
  const isInline = node => getComputedStyle(node).display === 'inline';
  const hasWords = ({ textContent }) => textContent.trim() !== '';
  const isInSentence = element => {
    if (!isInline(element)) return false;
    for (let one = element; ; one = one.parentElement) {
      const isWords = node => node !== one && hasWords(node) && (node.nodeType === Node.TEXT_NODE || (node.nodeType === Node.ELEMENT_NODE && isInline(node)));
      if ([...one.parentElement.childNodes].some(isWords)) return true;
      if (!isInline(one.parentElement)) return false;
    }
  };
  const sizeOf = element => {
    const boxes = [element, ...(element.labels ?? [])].map(one => one.getBoundingClientRect());
    const after = getComputedStyle(element, '::after');
    if (after.position === 'absolute' && after.content !== 'none')
      boxes.push({ width: parseFloat(after.width), height: parseFloat(after.height) });
    return { width: Math.max(...boxes.map(({ width }) => width)), height: Math.max(...boxes.map(({ height }) => height)) };
  };
  const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  const pressed = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch], [role=treeitem], [role=option]';
  return [...within.querySelectorAll(pressed)].filter(element => canBeHit(element) && !isInSentence(element)).flatMap(element => {
    const { width, height } = sizeOf(element);
    // Half a pixel is the rounding of a screen.
    if (Math.min(width, height) > ${atLeastPx} - 0.5) return [];
    return [Math.round(width) + ' x ' + Math.round(height) + ' px: ' + element.outerHTML.slice(0, 160)];
  });
})()`;

/** What can be pressed on the page, or in the dialog that is open, and is too small for a fingertip. */
export const smallTargets = (page: Page): Promise<string[]> => page.evaluate<string[]>(find);
