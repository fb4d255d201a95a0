/**
 * Colours, type and measures of everything that a browser shows: the pages, the OAuth pages and
 * those of the hotspot. This is their only source: the build makes the style sheet of the pages
 * from it, the others put it into their own. docs/visual-language.md says what each is for.
 *
 * Colours are written as hex, which browsers of ten years ago read as well: the hotspot's pages
 * open in whatever a phone has.
 */

/** Names of colours, without the two dashes. */
export interface Colours {
  /** Behind everything. */
  readonly ground: string;
  /** Colour of what lies on the ground: cards, tables, fields. */
  readonly panel: string;
  /** Colour of what lies lower than a panel: heads of tables, wells. */
  readonly sunk: string;
  readonly ink: string;
  /** Text of less weight: labels, units, notes. */
  readonly ink2: string;
  /** Between rows and around cards. */
  readonly rule: string;
  /** Around what can be used: a field, a button. */
  readonly edge: string;
  readonly action: string;
  readonly 'on-action': string;
  readonly 'action-tint': string;
  /** Bars and lines of pictures: what was counted, which nobody can press. */
  readonly data: string;
  readonly ok: string;
  readonly 'ok-tint': string;
  readonly warn: string;
  readonly 'warn-tint': string;
  readonly bad: string;
  readonly 'bad-tint': string;
  /** The rail with the names of the pages: dark in both themes. */
  readonly rail: string;
  readonly 'rail-raised': string;
  readonly 'rail-ink': string;
  readonly 'rail-strong': string;
  /** The way of the data on the rail and in the mark of the product. */
  readonly way: string;
}

export const light: Colours = {
  ground: '#f3f5f7',
  panel: '#ffffff',
  sunk: '#f0f2f5',
  ink: '#13202f',
  ink2: '#526073',
  rule: '#dce1e8',
  edge: '#8490a1',
  action: '#1f4fc4',
  'on-action': '#ffffff',
  'action-tint': '#e7edfb',
  data: '#56697f',
  ok: '#0a7450',
  'ok-tint': '#dff3ea',
  warn: '#8f5400',
  'warn-tint': '#fbefd9',
  bad: '#b8261e',
  'bad-tint': '#fce7e4',
  rail: '#0f1b2d',
  'rail-raised': '#1d2c44',
  'rail-ink': '#b9c5d6',
  'rail-strong': '#ffffff',
  way: '#4ad2a4',
};

export const dark: Colours = {
  ground: '#0e141d',
  panel: '#161e2a',
  sunk: '#121924',
  ink: '#e7ecf3',
  ink2: '#a3afbf',
  rule: '#283445',
  edge: '#69788d',
  action: '#93b4ff',
  'on-action': '#0b1322',
  'action-tint': '#1c2942',
  data: '#8ea3be',
  ok: '#4fcf9f',
  'ok-tint': '#123029',
  warn: '#f0b65a',
  'warn-tint': '#33281a',
  bad: '#ff9186',
  'bad-tint': '#3a1d1d',
  rail: '#090e16',
  'rail-raised': '#182233',
  'rail-ink': '#a9b6c8',
  'rail-strong': '#ffffff',
  way: '#4ad2a4',
};

/** Fonts that the system has. The pages of the web UI have Inter before them. */
const fonts = {
  sans: 'system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif',
  mono: 'ui-monospace,"SF Mono","Cascadia Mono","DejaVu Sans Mono",monospace',
} as const;

/** Sizes that the pages share: radii of controls and cards, and the height of a row. */
const measures = {
  sans: fonts.sans,
  mono: fonts.mono,
  'radius-control': '6px',
  'radius-card': '10px',
  row: '36px',
} as const;

const declared = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/**
 * The tokens as custom properties. `data-theme` on the root element chooses a theme; without it the
 * system does.
 */
export const lookCss = [
  `:root{color-scheme:light dark;${declared(measures)};${declared(light)}}`,
  `@media(prefers-color-scheme:dark){:root:not([data-theme="light"]){${declared(dark)}}}`,
  `:root[data-theme="dark"]{color-scheme:dark;${declared(dark)}}`,
  ':root[data-theme="light"]{color-scheme:light}',
].join('\n');

/**
 * The mark of the product, 64 by 24: the way of the data. A device, the box that has checked, and
 * the cloud, on one line.
 */
export const wayPath =
  'M12 12a5 5 0 1 1-10 0a5 5 0 1 1 10 0M12 12h10M26 3h12a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4H26a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4zM27.5 12l3 3 6-6.5M42 12h5M50.5 17.5h8a3.7 3.7 0 0 0 .6-7.35a5.5 5.5 0 0 0-10.6.9a3.25 3.25 0 0 0 2 6.45z';

/** The mark where there is no drawing by the pages: as SVG, in the colour of the text. */
export const waySvg = `<svg class="way" viewBox="0 0 64 24" width="64" height="24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${wayPath}"/></svg>`;

const simpleMark = `<path d="M5 16h22" stroke="${light.way}" stroke-width="2.5"/><circle cx="6" cy="16" r="3.5" fill="${light.way}"/><rect x="10.5" y="10.5" width="11" height="11" rx="2.5" fill="${light['rail-strong']}"/><path d="m13.3 16 2 2.2 3.6-4.2" fill="none" stroke="${light.rail}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/><circle cx="26" cy="16" r="3.5" fill="${light.way}"/>`;
const onSquare = (radius: number, drawing: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${radius}" fill="${light.rail}"/>${drawing}</svg>`;

/** The icon of the product in a browser's tab: the mark so simple that 16 pixels show it. */
export const favicon = onSquare(7, simpleMark);

/**
 * The icon on a home screen, which cuts its own shape: the whole square is filled, and the mark
 * stays within the circle of 80 % that every shape leaves.
 */
export const homeIcon = onSquare(0, `<g transform="translate(3.2 3.2) scale(.8)">${simpleMark}</g>`);
