import { z } from '@hono/zod-openapi';
import { type QrStatus, qrAppTypes, qrForms } from '../platform/qr-content.ts';
import { explainRefusal, type Refusal } from '../platform/refusals.ts';
import { labelLanguage, labelSheet, qrMatrix, qrPng, qrSvg, sheetNames } from '../provisioning/index.ts';
import { described } from '../words/described.ts';
import { codeOf, codeReport, deviceCodeReport, labelsOf } from './device-codes.ts';
import { fileOperation, type Running } from './operation.ts';
import type { BoxAdmin } from './port.ts';
import { refused } from './problem.ts';

const word = z.string().regex(/^[\w-]{1,64}$/, 'letters, digits, hyphens and underscores, at most 64');

export const qrOperations = {
  code: fileOperation({
    method: 'get',
    path: '/devices/{id}/qr',
    role: 'viewer',
    summary: described(
      'The QR code of a device (SPEC 2.4), which need not be registered; its product must be known',
      '设备的二维码（规范 2.4）；设备可以未登记，产品必须已知',
    ),
    params: z.object({ id: z.string().max(80) }),
    query: z
      .object({
        form: z.enum(qrForms).default('1'),
        format: z.enum(['svg', 'png', 'json']).default('svg'),
        app_type: z.enum(qrAppTypes).optional(),
        app_id: word.optional(),
        func_type: word.optional(),
        status: z.enum(['-1', '0', '1']).optional(),
      })
      .refine(({ form, app_type, app_id, func_type }) => form === '1' || !(app_type ?? app_id ?? func_type), {
        error: 'app_type, app_id and func_type go with form 1: the legacy forms do not carry them',
        path: ['form'],
      }),
    returns: described('The code as a picture, or what stands in it', '二维码图片，或其中的内容'),
    files: { 'image/svg+xml': z.string(), 'image/png': z.string(), 'application/json': deviceCodeReport },
    failures: { 404: described('No such product', '没有此产品') },
  }),
  labels: fileOperation({
    method: 'get',
    path: '/labels',
    role: 'viewer',
    summary: described(
      'A sheet of labels to print: of the devices named, else of all that are registered; at most 2000',
      '可打印的设备标签：指定的设备或全部已登记设备，最多 2000 个',
    ),
    query: z.object({
      device: z.union([z.string(), z.array(z.string())]).optional(),
      product: z.string().optional(),
      sheet: z.enum(sheetNames).default('a4'),
      lang: z.enum(['zh-CN', 'en']).optional(),
    }),
    returns: described('One HTML file', '一个 HTML 文件'),
    files: { 'text/html': z.string() },
    failures: {
      404: described('No such product, or nothing to label', '没有此产品，或没有可打印的标签'),
      422: described('Too many', '太多'),
    },
  }),
};

/** Headers for answers that contain names written by people: nothing in them runs or fetches. */
const harmless = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
};

const refusal = (why: Refusal) => {
  const status = why.code === 'bad_device_id' ? 400 : why.code === 'too_many_labels' ? 422 : 404;
  const title = { 400: 'Bad request', 404: 'Not found', 422: described('Too many', '太多') }[status];
  return refused(status, title, explainRefusal(why));
};

/** The codes and labels of devices. */
export const qrCodes = (admin: Pick<BoxAdmin, 'naming' | 'devices'>): Running<typeof qrOperations> => ({
  async code({ id, format, form, app_type, app_id, func_type, status }) {
    const code = codeOf(await admin.naming.report(), id, {
      form,
      ...(app_type === undefined ? {} : { appType: app_type }),
      ...(app_id === undefined ? {} : { appId: app_id }),
      ...(func_type === undefined ? {} : { funcType: func_type }),
      ...(status === undefined ? {} : { status: Number(status) as QrStatus }),
    });
    if (!code.ok) throw refusal(code.refusal);
    if (format === 'json') return { type: 'application/json', body: JSON.stringify(codeReport(code.value)) };
    const matrix = qrMatrix(code.value.content);
    return format === 'svg'
      ? { type: 'image/svg+xml', body: qrSvg(matrix), headers: harmless }
      : { type: 'image/png', body: qrPng(matrix), headers: harmless };
  },
  async labels({ device = [], product, sheet, lang }) {
    const deviceIds = typeof device === 'string' ? [device] : device;
    const labels = await labelsOf(admin, { deviceIds, ...(product === undefined ? {} : { productId: product }) });
    if (!labels.ok) throw refusal(labels.refusal);
    const language = lang ?? labelLanguage((await admin.naming.report()).locale);
    return {
      type: 'text/html; charset=utf-8',
      body: pieces(labelSheet(labels.value, { sheet, language })),
      headers: harmless,
    };
  },
});

async function* pieces(sheet: Iterable<string> | AsyncIterable<string>) {
  yield* sheet;
}
