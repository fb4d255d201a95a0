import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeviceId, ProductId } from '../../src/platform/device-id.ts';
import { makeQrContent, parseQrContent, type QrCode, type QrContent } from '../../src/platform/qr-content.ts';

const base = 'https://qr.example';
const device = 'FACE-T1_A0001' as DeviceId;
const product = 'FACE-T1' as ProductId;

const form1: QrCode = {
  form: '1',
  appType: 'app',
  appId: 'gatehouse',
  deviceId: device,
  funcType: 'activate',
  productId: product,
  status: null,
};
const path: QrCode = { form: 'legacy-path', deviceId: device, model: 'FT1', status: null };
const query: QrCode = { ...path, form: 'legacy-query' };

/** By hand from the text of SPEC 2.4. */
const known: readonly (readonly [string, QrCode, string])[] = [
  ['form 1', form1, 'https://qr.example/app/gatehouse/d/FACE-T1_A0001/activate?product=FACE-T1'],
  [
    'form 1 on a screen without a network',
    { ...form1, status: -1 },
    'https://qr.example/app/gatehouse/d/FACE-T1_A0001/activate?product=FACE-T1&status=-1',
  ],
  [
    'form 1 of a device that cannot show its id',
    { ...form1, deviceId: null, appType: 'wxmp', appId: 'wx_1', status: 0 },
    'https://qr.example/wxmp/wx_1/d/0/activate?product=FACE-T1&status=0',
  ],
  ['the legacy path', path, 'https://qr.example/d/FACE-T1_A0001/activate?product=FT1'],
  [
    'the legacy path of a device whose connection failed',
    { ...path, status: 1 },
    'https://qr.example/d/FACE-T1_A0001/activate?product=FT1&status=1',
  ],
  [
    'the legacy query',
    { ...query, status: 0 },
    'https://qr.example?from=device&action=activate&product=FT1&device=FACE-T1_A0001&status=0',
  ],
];

const contentOf = (code: QrCode): QrContent =>
  code.form === '1'
    ? { ...code, model: null }
    : { ...code, productId: product, appType: null, appId: null, funcType: 'activate' };

describe.each(known)('%s', (_name, code, text) => {
  test('is written as SPEC says, and read', () => {
    expect(makeQrContent(base, code)).toBe(text);
    expect(parseQrContent(text)).toEqual({ ok: true, value: contentOf(code) });
  });

  test('is the same with slashes at the end of the base', () => {
    expect(makeQrContent(`${base}//`, code)).toBe(text);
  });
});

const read = (text: string) => {
  const parsed = parseQrContent(text);
  if (!parsed.ok) throw new Error(parsed.refusal.code);
  return parsed.value;
};

test.each<[string, string, Partial<QrContent>]>([
  ['another base', 'http://10.0.0.5:8080/a/b/app/x1/d/P_1/activate?product=P', { form: '1', appId: 'x1' }],
  ['capitals all over', 'HTTPS://QR.EXAMPLE/APP/X/D/face-t1_a0001/ACTIVATE?PRODUCT=FACE-T1', { deviceId: device }],
  ['productID', `${base}/app/x/d/0/activate?productID=FACE-T1`, { deviceId: null, productId: product }],
  ['no product', `${base}/app/x/d/FACE-T1_A0001/activate`, { productId: product, model: null }],
  ['a model in form 1', `${base}/app/x/d/FACE-T1_A0001/activate?product=FT1`, { productId: product, model: 'FT1' }],
  ['a model alone', `${base}/app/x/d/0/activate?product=face_t.1`, { productId: null, model: 'face_t.1' }],
  ['a type that nobody knows', `${base}/tv/x/d/P_1/activate?product=P`, { form: '1', appType: 'tv' }],
  ['a function that nobody knows', `${base}/app/x/d/P_1/bind-2?product=P`, { funcType: 'bind-2' }],
  ['a status that nobody knows', `${base}/app/x/d/P_1/activate?status=7`, { status: 7 }],
  ['an empty status', `${base}/app/x/d/P_1/activate?status=&product=P`, { status: null }],
  [
    'another order',
    `${base}?status=-1&device=P_1&x=y&product=M&action=activate&from=device`,
    { status: -1, model: 'M' },
  ],
  ['the query behind a slash', `${base}/?from=device&device=P_1`, { form: 'legacy-query', model: null }],
  ['escapes', `${base}/app/x/d/FACE%2DT1%5fA0001/activate?product=FACE%2dT1`, { deviceId: device, model: null }],
  ['a slash at the end, and a fragment', `${base}/d/P_1/activate/?product=M#top`, { form: 'legacy-path', model: 'M' }],
  ['a legacy base of one step', `${base}/q/d/P_1/activate?product=M`, { form: 'legacy-path' }],
  ['a legacy base of two steps', `${base}/q/v2/d/P_1/activate?product=M`, { form: 'legacy-path', appType: null }],
  ['a legacy base that is no type and id', `${base}/~q/v2/d/P_1/activate?product=P`, { form: 'legacy-path' }],
  ['blanks around it', ` ${base}/d/P_1/activate?product=M\n`, { form: 'legacy-path' }],
])('%s is read', (_name, text, expected) => {
  expect(read(text)).toMatchObject(expected);
});

test.each([
  ['a bare id', 'FACE-T1_A0001', 'qr_no_address', 'FACE-T1_A0001'],
  ['nothing', '', 'qr_no_address', ''],
  ['another page', 'https://example.com/menu?table=4', 'qr_unknown_form', 'https://example.com/menu?table=4'],
  ['a device that is none', `${base}/app/x/d/FACE/activate?product=P`, 'qr_bad_device', 'FACE'],
  ['a device with a blank', `${base}/d/P_1%201/activate?product=M`, 'qr_bad_device', 'deviceID "P_1 1"'],
  ['a broken escape', `${base}/d/P_1/activate?product=%E4%`, 'qr_bad_value', 'product "%E4%"'],
  ['a product with a slash', `${base}?device=P_1&product=a%2Fb`, 'qr_bad_value', 'product "a/b"'],
  ['a status in words', `${base}/d/P_1/activate?status=up`, 'qr_bad_value', 'status "up"'],
  ['neither device nor product', `${base}/app/x/d/0/activate`, 'qr_no_product', ''],
  ['a novel', `${base}/d/P_1/${'a'.repeat(5000)}`, 'qr_too_long', '5025 characters'],
])('%s is refused by its name', (_name, text, code, detail) => {
  expect(parseQrContent(text)).toEqual({ ok: false, refusal: { code, detail } });
});

test('a refusal shows nothing that a terminal would obey', () => {
  const parsed = parseQrContent(`${base}/d/P_1/activate?product=%1b%5b31m%c2%9b%e2%80%aex`);
  expect(parsed).toMatchObject({ refusal: { detail: 'product "\ufffd[31m\ufffd\ufffdx"' } });
});

const word = (characters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });
const upper = 'ABCXYZ0189-';
const urlSafe = 'abcXYZ019-_';
const deviceIds = fc.tuple(word(upper, 16), word(upper, 40)).map(([id, sn]) => ({
  productId: id as ProductId,
  deviceId: `${id}_${sn}` as DeviceId,
}));
const statuses = fc.constantFrom(-1, 0, 1, null);
const hosts = fc.constantFrom('https://qr.example', 'http://10.1.2.3:8080/', 'https://qr.example/q');

test('what is written in form 1 is read back', () => {
  const codes = fc
    .record({
      ids: deviceIds,
      shows: fc.boolean(),
      appType: word(urlSafe, 8),
      appId: word(urlSafe, 64),
      funcType: word(urlSafe, 20),
      status: statuses,
    })
    .map(({ ids, shows, ...rest }) => ({ form: '1' as const, ...rest, ...ids, deviceId: shows ? ids.deviceId : null }));
  fc.assert(
    fc.property(fc.constantFrom('', '/a', '/a/b/c', '/d/d/d'), hosts, codes, (more, host, code) => {
      expect(read(makeQrContent(host.replace(/\/$/, '') + more, code))).toEqual({ ...code, model: null });
    }),
  );
});

test('what is written in a legacy form is read back', () => {
  const codes = fc.record({
    ids: deviceIds,
    form: fc.constantFrom('legacy-path' as const, 'legacy-query' as const),
    model: word(`${urlSafe}.`, 64),
    status: statuses,
  });
  fc.assert(
    fc.property(hosts, codes, (host, { ids, ...code }) => {
      const expected = { ...code, ...ids, appType: null, appId: null, funcType: 'activate' };
      expect(read(makeQrContent(host, { ...code, deviceId: ids.deviceId }))).toEqual(expected);
    }),
  );
});

test('any text at all is read or refused, never thrown', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .tuple(
        fc.constantFrom(...known.map(([, , text]) => text)),
        fc.nat(80),
        fc.string({ unit: 'binary', maxLength: 9 }),
      )
      .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at + more.length)),
    fc
      .array(fc.constantFrom('https://', 'x', '/', 'd', '?', '&', '=', '%', '%2', 'device', 'product', '0', '#', ':'))
      .map(parts => parts.join('')),
  );
  fc.assert(
    fc.property(texts, text => {
      expect(parseQrContent(text).ok).toBeTypeOf('boolean');
    }),
    { numRuns: 2000 },
  );
});
