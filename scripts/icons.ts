import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { favicon, homeIcon } from '../src/platform/look.ts';
import { TestBrowser } from '../test/support/browser.ts';

/**
 * `npm run icons`: the icons of the home screen as PNG, from the drawings in `src/platform/look.ts`.
 * Android and iOS install no page whose icons are SVG. Needs Chromium.
 */
const folder = fileURLToPath(new URL('../web-ui/icons/', import.meta.url));
const icons = [
  { name: 'icon-192', drawing: favicon, size: 192 },
  { name: 'icon-512', drawing: favicon, size: 512 },
  { name: 'home-192', drawing: homeIcon, size: 192 },
  { name: 'home-512', drawing: homeIcon, size: 512 },
] as const;

await mkdir(folder, { recursive: true });
await using browser = await TestBrowser.open();
const page = await browser.page('about:blank');
for (const { name, drawing, size } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${drawing}`);
  await writeFile(`${folder}${name}.png`, await page.screenshot({ omitBackground: true }));
}
