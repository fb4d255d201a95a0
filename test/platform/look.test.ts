import { describe, expect, test } from 'vitest';
import { loginPage } from '../../src/accounts/oauth/pages.ts';
import { type Colours, dark, favicon, light, lookCss, waySvg } from '../../src/platform/look.ts';
import { tryingPage } from '../../src/provisioning/hotspot/page.ts';
import { hotspotWords } from '../../src/provisioning/hotspot/words.ts';

/** As WCAG 2.2 counts it. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map(at => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

type Name = keyof Colours;
const below: readonly Name[] = ['ground', 'panel', 'sunk'];
const text: readonly (readonly [Name, readonly Name[]])[] = [
  ['ink', [...below, 'action-tint', 'ok-tint', 'warn-tint', 'bad-tint']],
  ['ink2', [...below, 'action-tint', 'ok-tint', 'warn-tint', 'bad-tint']],
  ['action', [...below, 'action-tint']],
  ['ok', [...below, 'ok-tint']],
  ['warn', [...below, 'warn-tint']],
  ['bad', [...below, 'bad-tint']],
  ['on-action', ['action']],
  ['rail-ink', ['rail', 'rail-raised']],
  ['rail-strong', ['rail', 'rail-raised']],
];

describe.each([
  ['light', light],
  ['dark', dark],
])('the colours of the %s theme', (_, colours) => {
  test('text has a contrast of 4.5 at least on whatever it stands on', () => {
    const low = text.flatMap(([ink, papers]) =>
      papers
        .map(paper => ({ pair: `${ink} on ${paper}`, ratio: contrast(colours[ink], colours[paper]) }))
        .filter(({ ratio }) => ratio < 4.5),
    );
    expect(low).toEqual([]);
  });

  test('what can be used has an edge of 3 at least, and so has the way on the rail', () => {
    expect(contrast(colours.edge, colours.panel)).toBeGreaterThanOrEqual(3);
    expect(contrast(colours.way, colours.rail)).toBeGreaterThanOrEqual(3);
  });

  test('a picture has 3 at least on the card that it stands on', () => {
    for (const drawn of ['data', 'ok', 'warn', 'bad'] as const)
      expect(contrast(colours[drawn], colours.panel), drawn).toBeGreaterThanOrEqual(3);
  });
});

test('the tokens and the icon are of colours that old browsers read', () => {
  expect(lookCss).not.toMatch(/oklch|color-mix/);
  expect(favicon).toContain(light.way);
});

test('the OAuth pages and those of the hotspot have the tokens of the pages, and no colour of their own', async () => {
  const pages = [
    await loginPage('en', { clientName: 'Portal', mark: '', goOn: '', name: '', problem: '', hasCloud: false }),
    await tryingPage(hotspotWords('en', 'en'), 'Plant'),
  ];
  for (const page of pages) {
    expect(page).toContain(lookCss);
    expect(page).toContain(waySvg);
    expect(page.replace(lookCss, '').match(/#[0-9a-f]{3,8}\b/gi)).toBeNull();
  }
});
