import { expect, test } from 'vitest';
import { type BoxAdmin, labelsOf } from '../../src/admin/index.ts';
import { anAdminApi, anIdentity } from '../support/admin.ts';
import { enlarged, pixelsOfPng, pixelsOfSvg, readQr } from '../support/pictures.ts';

const naming = {
  vendor: 'VENDOR',
  qr_base_url: 'https://qr.example',
  app_type: 'app',
  app_id: 'x1',
  locale: 'zh-CN',
  timezone: 'Asia/Shanghai',
  products: [
    { product_id: 'FACE-T1', model: 'FT1', name: 'Face terminal' },
    { product_id: 'LOCK', model: 'LOCK', name: '' },
  ],
};
const deviceIds = (count: number) => Array.from({ length: count }, (_, index) => `FACE-T1_${10_000 + index}`);

/** A box with so many face terminals and one lock; it notes which pages it was asked for. */
function aBox(terminals: number) {
  const pages: string[] = [];
  const all = [...deviceIds(terminals), 'LOCK_1'].map(device_id => ({
    device_id,
    product_id: device_id.split('_')[0]!,
    name: device_id === 'FACE-T1_10000' ? '<North> gate' : '',
    model: 'FT1',
  }));
  const box: Pick<BoxAdmin, 'naming' | 'devices'> = {
    naming: { report: async () => naming },
    devices: {
      async list({ product, cursor: after, limit }) {
        pages.push(after ?? '');
        const found = all.filter(
          one => one.device_id > (after ?? '') && (product ?? one.product_id) === one.product_id,
        );
        const devices = found.slice(0, limit);
        return { devices, cursor: found.length > limit ? devices.at(-1)!.device_id : null };
      },
    },
  };
  return { box, pages };
}

async function ask(path: string, box = aBox(2).box) {
  const answer = await anAdminApi(box as BoxAdmin, anIdentity('viewer')).request(path);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString() };
}

const content = 'https://qr.example/app/x1/d/FACE-T1_A9/activate?product=FACE-T1';

test("a device's code comes as a picture of either kind, and as what stands in it", async () => {
  const svg = await ask('/devices/face-t1_a9/qr');
  expect(svg.headers.get('content-type')).toBe('image/svg+xml');
  expect(svg.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(readQr(enlarged(pixelsOfSvg(svg.text)))).toBe(content);
  const png = await ask('/devices/FACE-T1_A9/qr?format=png');
  expect(png.headers.get('content-type')).toBe('image/png');
  expect(readQr(pixelsOfPng(png.bytes))).toBe(content);
  const json = await ask('/devices/FACE-T1_A9/qr?format=json&form=legacy-query&status=-1');
  expect(JSON.parse(json.text)).toEqual({
    content: 'https://qr.example?from=device&action=activate&product=FT1&device=FACE-T1_A9&status=-1',
    form: 'legacy-query',
    device_id: 'FACE-T1_A9',
    product_id: 'FACE-T1',
    model: 'FT1',
    app_type: null,
    app_id: null,
    func_type: 'activate',
    status: -1,
    broadcast_name: 'VENDOR_FACE-T1_-T1_A9',
  });
});

test.each([
  ['/devices/FACE_/qr', 400, /no device id/i],
  ['/devices/NONE_1/qr', 404, /no product with this product_id is known here \(NONE\)/],
  ['/devices/LOCK_1/qr?form=2', 400, /^form: /],
  ['/devices/LOCK_1/qr?form=legacy-path&app_id=x', 400, /^form: app_type, app_id and func_type go with form 1/],
  ['/devices/LOCK_1/qr?app_id=a%20b', 400, /^app_id: letters, digits/],
  ['/labels?product=NONE', 404, /no product with this product_id/],
  ['/labels?device=LOCK_1&device=x_', 400, /no device id/i],
  ['/devices?limit=2000', 400, /^limit: /],
])('%s is refused', async (path, status, message) => {
  const refused = await ask(path);
  expect(refused.status).toBe(status);
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
  expect(JSON.parse(refused.text).detail).toMatch(message);
});

test('labels of the devices named stand in that order, registered or not', async () => {
  const sheet = await ask('/labels?device=LOCK_9&device=FACE-T1_10000&sheet=50x30&lang=en');
  expect(sheet.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect([...sheet.text.matchAll(/<h2>(.*?)<\/h2>/g)].map(one => one[1])).toEqual(['LOCK', '&lt;North&gt; gate']);
  expect(sheet.text).toContain('<html lang="en">');
});

test('labels of all devices, or of a product, in the language of the site', async () => {
  expect((await ask('/labels')).text.match(/<article/g)).toHaveLength(3);
  const ofProduct = await ask('/labels?product=FACE-T1');
  expect(ofProduct.text.match(/<article/g)).toHaveLength(2);
  expect(ofProduct.text).toContain('<html lang="zh-CN">');
});

test('2000 labels are made, 2001 are refused as soon as they are counted', async () => {
  const whole = await labelsOf(aBox(2000).box, { deviceIds: [], productId: 'FACE-T1' });
  expect(whole.ok && whole.value).toHaveLength(2000);
  const { box, pages } = aBox(9000);
  expect(JSON.parse((await ask('/labels', box)).text)).toMatchObject({
    status: 422,
    detail: expect.stringContaining('2000'),
  });
  expect(pages).toEqual(['', 'FACE-T1_10999', 'FACE-T1_11999']);
  expect(await labelsOf(box, { deviceIds: deviceIds(2001) })).toMatchObject({ refusal: { code: 'too_many_labels' } });
});

test('there is nothing to label', async () => {
  const empty = { ...aBox(0).box, devices: { list: async () => ({ devices: [], cursor: null }) } };
  expect(await labelsOf(empty, { deviceIds: [] })).toMatchObject({ refusal: { code: 'no_labels' } });
});
