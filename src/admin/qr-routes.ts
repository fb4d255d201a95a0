import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, Env } from 'hono';
import { stream } from 'hono/streaming';
import { type QrStatus, qrAppTypes, qrForms } from '../platform/qr-content.ts';
import { explainRefusal, type Refusal } from '../platform/refusals.ts';
import { labelLanguage, labelSheet, qrMatrix, qrPng, qrSvg, sheetNames } from '../provisioning/index.ts';
import { codeOf, codeReport, labelsOf } from './device-codes.ts';
import type { BoxAdmin } from './port.ts';
import { failures, problem, problemSchema, problemType } from './problem.ts';

const json = { 'application/json': { schema: z.any() } };
const refused = (description: string) => ({ description, content: { [problemType]: { schema: problemSchema } } });
const word = z.string().regex(/^[\w-]{1,64}$/, 'letters, digits, hyphens and underscores, at most 64');

const namingRoute = createRoute({
  method: 'get',
  path: '/naming',
  summary: 'How names and codes of devices are made here, and the products',
  responses: { 200: { description: 'The vendor prefix, what QR codes begin with, the products', content: json } },
});
const devicesRoute = createRoute({
  method: 'get',
  path: '/devices',
  summary: 'The registered devices by id, a page at a time; `cursor` goes on where the page ended',
  request: {
    query: z.object({
      product: z.string().optional(),
      cursor: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(200),
    }),
  },
  responses: { 200: { description: 'The page', content: json }, ...failures },
});
const qrRoute = createRoute({
  method: 'get',
  path: '/devices/{id}/qr',
  summary: 'The QR code of a device (SPEC 2.4), which need not be registered; its product must be known',
  request: {
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
  },
  responses: {
    200: {
      description: 'The code as a picture, or what stands in it',
      content: { 'image/svg+xml': { schema: z.string() }, 'image/png': { schema: z.string() }, ...json },
    },
    404: refused('No such product'),
    ...failures,
  },
});
const labelsRoute = createRoute({
  method: 'get',
  path: '/labels',
  summary: 'A sheet of labels to print: of the devices named, else of all that are registered; at most 2000',
  request: {
    query: z.object({
      device: z.union([z.string(), z.array(z.string())]).optional(),
      product: z.string().optional(),
      sheet: z.enum(sheetNames).default('a4'),
      lang: z.enum(['zh-CN', 'en']).optional(),
    }),
  },
  responses: {
    200: { description: 'One HTML file', content: { 'text/html': { schema: z.string() } } },
    404: refused('No such product, or nothing to label'),
    422: refused('Too many'),
    ...failures,
  },
});

/**
 * What is in these answers comes from names that people wrote: it runs nowhere and fetches nothing.
 */
const harmless = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
};

const refusal = (context: Context, why: Refusal) => {
  const status = why.code === 'bad_device_id' ? 400 : why.code === 'too_many_labels' ? 422 : 404;
  const title = { 400: 'Bad request', 404: 'Not found', 422: 'Too many' }[status];
  return problem(context, status, title, explainRefusal(why)) as never;
};

/** The admin API's part about the codes and labels of devices. */
export function qrRoutes<Environment extends Env>(app: OpenAPIHono<Environment>, admin: BoxAdmin): void {
  app.openapi(namingRoute, async context => context.json({ ...(await admin.naming()) }, 200));
  app.openapi(devicesRoute, async context => {
    const { product, cursor, limit } = context.req.valid('query');
    const filter = {
      ...(product === undefined ? {} : { product }),
      ...(cursor === undefined ? {} : { after: cursor }),
    };
    return context.json({ ...(await admin.devices({ ...filter, limit })) }, 200);
  });
  app.openapi(qrRoute, async context => {
    const { format, form, app_type, app_id, func_type, status } = context.req.valid('query');
    const code = codeOf(await admin.naming(), context.req.valid('param').id, {
      form,
      ...(app_type === undefined ? {} : { appType: app_type }),
      ...(app_id === undefined ? {} : { appId: app_id }),
      ...(func_type === undefined ? {} : { funcType: func_type }),
      ...(status === undefined ? {} : { status: Number(status) as QrStatus }),
    });
    if (!code.ok) return refusal(context, code.refusal);
    if (format === 'json') return context.json({ ...codeReport(code.value) }, 200) as never;
    const matrix = qrMatrix(code.value.content);
    const [picture, type] =
      format === 'svg' ? [qrSvg(matrix), 'image/svg+xml'] : [new Uint8Array(qrPng(matrix)), 'image/png'];
    return context.body(picture, 200, { ...harmless, 'content-type': type }) as never;
  });
  app.openapi(labelsRoute, async context => {
    const { device = [], product, sheet, lang } = context.req.valid('query');
    const deviceIds = typeof device === 'string' ? [device] : device;
    const labels = await labelsOf(admin, { deviceIds, ...(product === undefined ? {} : { productId: product }) });
    if (!labels.ok) return refusal(context, labels.refusal);
    const language = lang ?? labelLanguage((await admin.naming()).locale);
    for (const [name, value] of Object.entries(harmless)) context.header(name, value);
    context.header('content-type', 'text/html; charset=utf-8');
    return stream(context, async out => {
      for await (const piece of labelSheet(labels.value, { sheet, language })) {
        if (out.aborted) return;
        await out.write(piece);
      }
    }) as never;
  });
}
