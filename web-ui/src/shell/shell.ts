import { wayPath } from '../../../src/platform/look.ts';
import { pagePaths } from '../../../src/platform/page-paths.ts';
import { askSessionEarly } from '../early.ts';
import { kept } from '../kept.ts';
import { classesOf, isOn, navigation } from '../navigation.ts';
import { drawings } from '../parts/drawings.ts';
import { askedLanguage } from '../words/asked-language.ts';
import { shellWords } from '../words/shell.ts';
import { fetchAgainWhatFails } from './again.ts';
import 'gatehouse:look.css';
import '../style/base.css';
import '../style/frame.css';

/**
 * The script that stands in the page itself, with the styles that it needs: draws the frame, the
 * name of the page and its empty state from the first response, asks who is signed in, and lets the
 * browser fetch the code of this page beside that of the frame. The pages then take its place.
 */

/**
 * Of each page, the files that it needs beside those of the frame, and of a tab such as
 * `system/audit` those that it needs beside its page's: filled in by the build.
 */
declare const pageFiles: Readonly<Record<string, readonly string[]>>;

const language = askedLanguage() ?? 'en';
const words = shellWords[language];
const root = document.documentElement;
const site = localStorage.getItem(kept.site);
const { pathname } = location;

root.lang = language;
for (const name of ['theme', 'density'] as const) {
  const chosen = localStorage.getItem(kept[name]);
  if (chosen !== null && chosen !== 'auto') root.dataset[name] = chosen;
}
fetchAgainWhatFails();
askSessionEarly();
if (site !== null) {
  const name =
    (Object.keys(pagePaths) as (keyof typeof pagePaths)[]).find(
      one => one !== 'today' && (pathname === pagePaths[one] || pathname.startsWith(`${pagePaths[one]}/`)),
    ) ?? 'today';
  const tab = pathname.split('/')[2];
  for (const file of [name, `${name}/${tab}`].flatMap(part => pageFiles[part] ?? [])) fetchCode(file);
  if (name !== 'wall') drawFrame(site);
}

function fetchCode(file: string): void {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = `/ui/${file}`;
  document.head.append(link);
}

/** As `app.tsx` draws it, so that nothing moves when the pages take its place. */
function drawFrame(siteName: string): void {
  const shown = navigation.find(({ name }) => isOn(name, pathname));
  const hasBoxes = localStorage.getItem(kept.boxes) !== null;
  const links = navigation
    .filter(({ ofBoxes }) => hasBoxes || !ofBoxes)
    .map(place => {
      const { name } = place;
      const current = place === shown ? ' aria-current="page"' : '';
      return `<a href="${pagePaths[name]}" class="${classesOf(place) ?? ''}"${current}>${icon(name)}${place.called[language]}</a>`;
    });
  const station = (name: 'devices' | 'box' | 'cloud') =>
    `<li class="station none">${icon(name)}<b>${words.path[name]}</b><small>\u00a0</small></li>`;
  const track = '<li class="track none" aria-hidden="true"></li>';
  const search = (place: string) =>
    `<button type="button" class="search-button in-${place}" disabled>${icon('search')}<span${place === 'phone' ? ' class="heard-only"' : ''}>${words.search}</span></button>`;
  const shell = document.getElementById('shell')!;
  shell.className = 'frame';
  shell.innerHTML = [
    '<nav class="rail"><div class="site">',
    `<svg class="icon way" viewBox="0 0 64 24" aria-hidden="true"><path d="${wayPath}"/></svg>`,
    `<span></span></div>${search('rail')}${links.join('')}`,
    `<button type="button" class="more" disabled>${icon('more')}${words.more}</button></nav>`,
    `<main><header class="head"><b class="site"></b><ol class="path" aria-label="${words.path.label}">`,
    [station('devices'), station('box'), station('cloud')].join(track),
    `</ol>${search('phone')}</header>${shown ? `<div class="page-name"><h1>${icon(shown.name)}${shown.called[language]}</h1></div>` : ''}`,
    `<p class="heard-only" role="status">${words.loading}</p>`,
    `<div class="arriving"><div class="skeleton${shown?.name === 'today' ? ' picture' : ''}"></div></div></main>`,
  ].join('');
  for (const place of shell.querySelectorAll('.rail .site span, .head .site')) place.textContent = siteName;
  if (shown) document.title = `${shown.called[language]} · ${siteName}`;
}

function icon(name: keyof typeof drawings): string {
  return `<svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="${drawings[name]}"/></svg>`;
}
