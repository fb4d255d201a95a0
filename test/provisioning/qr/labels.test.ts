import { expect, test } from 'vitest';
import type { DeviceId } from '../../../src/platform/device-id.ts';
import {
  deviceCode,
  type Label,
  type LabelLanguage,
  labelLanguage,
  labelSheet,
  type SheetName,
} from '../../../src/provisioning/index.ts';
import { enlarged, pixelsOfSvg, readQr } from '../../support/pictures.ts';

const aLabel = (more: Partial<Label> = {}): Label => ({
  name: 'North gate',
  deviceId: 'FACE-T1_A0001',
  broadcastName: 'VENDOR_FACE-T1__A0001',
  content: 'https://qr.example/app/x/d/FACE-T1_A0001/activate?product=FACE-T1',
  ...more,
});

async function sheetOf(labels: Label[], sheet: SheetName = 'a4', language: LabelLanguage = 'en') {
  let html = '';
  for await (const piece of labelSheet(labels, { sheet, language })) html += piece;
  return html;
}

const count = (html: string, what: string | RegExp) => html.split(what).length - 1;

/**
 * Throws unless every element is closed in its turn and every `&` begins an escape. The text
 * between them, escapes undone.
 */
function textOf(html: string): string {
  const open: string[] = [];
  const rest = html.replace('<!DOCTYPE html>\n', '').replace(/<style>[^<]*<\/style>/, '');
  const text = rest.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z-]+="[^"<]*")*)(\/?)>/g,
    (_tag, closes, name, _more, alone) => {
      if (closes) expect(open.pop()).toBe(name);
      else if (!alone) open.push(name);
      return '';
    },
  );
  expect(open).toEqual([]);
  expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#39);)/);
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

test('each label has its name, device id, broadcast name and a code that can be read', async () => {
  const labels = [
    aLabel(),
    aLabel({ name: '北门', deviceId: 'LOCK_1', broadcastName: 'VENDOR_LOCK_LOCK_1', content: 'two' }),
  ];
  const html = await sheetOf(labels);
  const articles = html.match(/<article[\s\S]*?<\/article>/g)!;
  expect(articles).toHaveLength(2);
  for (const [index, { name, deviceId, broadcastName, content }] of labels.entries()) {
    for (const said of [name, deviceId, broadcastName]) expect(textOf(articles[index]!)).toContain(said);
    const svgs = articles[index]!.match(/<svg[\s\S]*?<\/svg>/g)!;
    expect(svgs).toHaveLength(1);
    expect(readQr(enlarged(pixelsOfSvg(svgs[0]!)))).toBe(content);
  }
});

test('what people wrote stands there as they wrote it, and does nothing', async () => {
  const name = `<script>alert("1")</script> & 'x' &lt; \u0000\u001b[31m`;
  const html = await sheetOf([aLabel({ name })]);
  expect(textOf(html)).toContain(`<script>alert("1")</script> & 'x' &lt;   [31m`);
  expect(html).not.toMatch(/<script|\u0000|\u001b/);
});

test.each<[SheetName, LabelLanguage]>([
  ['a4', 'en'],
  ['a4', 'zh-CN'],
  ['50x30', 'en'],
  ['50x30', 'zh-CN'],
])('a sheet %s in %s is one whole file that needs nothing else', async (sheet, language) => {
  const html = await sheetOf([aLabel(), aLabel(), aLabel()], sheet, language);
  expect(html).toMatch(new RegExp(`^<!DOCTYPE html>\n<html lang="${language}">`));
  expect(html.endsWith('</html>\n')).toBe(true);
  expect(textOf(html)).toContain(language === 'en' ? 'Device ID' : '设备编号');
  expect(html).not.toMatch(/<script|<link|<img|url\(|@import|(src|href)=/);
  expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toContain('//');
  expect(html).toContain(sheet === 'a4' ? '@page{size:A4;margin:0}' : '@page{size:50mm 30mm;margin:0}');
});

test('an A4 page has 24 labels, a roll one a page', async () => {
  const labels = Array.from({ length: 25 }, () => aLabel());
  expect(count(await sheetOf(labels), '<section')).toBe(2);
  expect(count(await sheetOf(labels.slice(1)), '<section')).toBe(1);
  expect(count(await sheetOf(labels, '50x30'), '<section')).toBe(25);
  textOf(await sheetOf([]));
});

test('others have their turn between two labels', async () => {
  let turns = 0;
  const turn = () => {
    turns++;
    if (turns < 1000) setImmediate(turn);
  };
  setImmediate(turn);
  await sheetOf(Array.from({ length: 50 }, () => aLabel()));
  expect(turns).toBeGreaterThanOrEqual(49);
});

test('the language is that of the site', () => {
  expect(['zh-CN', 'zh', 'en', 'de'].map(labelLanguage)).toEqual(['zh-CN', 'zh-CN', 'en', 'en']);
});

test('a device code is made of the config of the box, its product and what the caller wants', () => {
  const naming = { vendor: 'ACME', qrBaseUrl: 'https://q.example/', appType: 'wxmp', appId: 'wx1', locale: 'en' };
  const device = { deviceId: 'FACE-T1_A0001' as DeviceId, model: 'FT1' };
  expect(deviceCode(naming, device)).toEqual({
    content: 'https://q.example/wxmp/wx1/d/FACE-T1_A0001/activate?product=FACE-T1',
    form: '1',
    deviceId: 'FACE-T1_A0001',
    productId: 'FACE-T1',
    model: 'FT1',
    broadcastName: 'ACME_FACE-T1__A0001',
    appType: 'wxmp',
    appId: 'wx1',
    funcType: 'activate',
    status: null,
  });
  expect(deviceCode(naming, device, { appType: 'app', appId: 'a', funcType: 'bind', status: 0 }).content).toBe(
    'https://q.example/app/a/d/FACE-T1_A0001/bind?product=FACE-T1&status=0',
  );
  expect(deviceCode(naming, device, { form: 'legacy-path' })).toMatchObject({
    content: 'https://q.example/d/FACE-T1_A0001/activate?product=FT1',
    appType: null,
    appId: null,
  });
});
