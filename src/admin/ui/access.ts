import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { boundsOf, dayOf } from '../../runtime/day-bounds.ts';
import type { AdminEnvironment } from '../guard.ts';
import { problem } from '../problem.ts';
import type { UiParts } from './parts.ts';
import { answers, dayText, deviceWords, pageQuery, timePlaceOf } from './people-shapes.ts';

export interface AccessDay {
  /** Null: of all days. */
  readonly day: string | null;
  readonly today: string;
}

export interface Passage {
  readonly id: number;
  readonly at: number;
  readonly received_at: number;
  readonly device_id: string;
  readonly device: string;
  /** What the device named, else its serial number. */
  readonly door: string;
  /** False: somebody whom the organization does not know. */
  readonly known: boolean;
  readonly ext_id: string;
  readonly name: string;
  readonly department: string;
  readonly type: string;
  /** SPEC 2.15: 0 passed, 1 no permission, 2 stranger, 8 locked, 9 fault. */
  readonly result: number;
  readonly clock_skew_s: number | null;
  readonly photo: boolean;
}

/** Of one page: a filter that finds little is gone on with by the next one. */
const lookMax = 20_000;

const passagesRoute = createRoute({
  method: 'get',
  path: '/access',
  summary: 'Passages and refusals at doors, the newest first. A page may be short where a filter finds little.',
  request: {
    query: z.object({
      day: dayText.optional(),
      door: z.string().max(80).optional(),
      result: z.enum(['passed', 'refused', 'stranger', '0', '1', '2', '8', '9']).optional(),
      person: z.string().max(64).optional(),
      ...pageQuery(100),
    }),
  },
  responses: answers('The page'),
});
const photoRoute = createRoute({
  method: 'get',
  path: '/access/{id}/photo',
  summary: 'The photo of a passage; for the role staff, and every look is written down',
  request: { params: z.object({ id: z.coerce.number().int().positive() }) },
  responses: {
    200: { description: 'The photo', content: { 'image/*': { schema: z.string().openapi({ format: 'binary' }) } } },
  },
});

/** Who went through which door, and who was not let through. */
export function accessUiRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  const { store, clock, config } = parts;
  const { timezone: timeZone } = config.site;
  const serialOf = (deviceId: string) => deviceId.slice(deviceId.indexOf('_') + 1);

  app.openapi(passagesRoute, async context => {
    const { day, door, result, person, cursor, limit } = context.req.valid('query');
    const wanted = door?.trim().toLowerCase() ?? '';
    const names = (deviceNo: Parameters<typeof deviceWords>[1]) => deviceWords(store.directory, deviceNo);
    const devicesNamed = (text: string) =>
      [...store.directory.devices()]
        .filter(({ name, deviceId }) => name.toLowerCase().includes(text) || deviceId.toLowerCase().includes(text))
        .map(({ deviceNo }) => deviceNo);
    const { rows, next } = await store.read.accessEvents({
      ...(day === undefined ? {} : boundsOf(day, timeZone)),
      person: person === '' ? undefined : person,
      door: wanted === '' ? undefined : { text: wanted, deviceNos: devicesNamed(wanted) },
      result: /^\d$/.test(result ?? '') ? Number(result) : (result as 'passed' | 'refused' | 'stranger' | undefined),
      after: timePlaceOf(cursor),
      limit,
      lookMax,
    });
    const told = rows.map((row): Passage => {
      const device = names(row.deviceNo);
      return {
        id: row.id,
        at: row.at,
        received_at: row.receivedAt,
        ...device,
        door: row.doorId || serialOf(device.device_id) || device.device,
        known: row.known,
        ext_id: row.extId,
        name: row.name,
        department: row.department,
        type: row.checkType,
        result: row.result,
        clock_skew_s: row.clockSkewSeconds,
        photo: row.photo,
      };
    });
    const { day: today } = dayOf(clock.now(), timeZone);
    const about: AccessDay = { day: day ?? null, today };
    return context.json({ ...about, rows: told, cursor: next ? `${next.at}-${next.id}` : null }, 200);
  });

  app.openapi(photoRoute, async context => {
    const { id } = context.req.valid('param');
    if (context.get('caller').role === 'viewer') {
      context.set('subject', `photo of passage ${id}`);
      return problem(context, 403, 'Not allowed', 'this needs the role staff') as never;
    }
    const photo = await store.read.accessPhoto(id);
    if (!photo || photo.state === 'none')
      return problem(context, 404, 'no_photo', 'there is no photo of this passage') as never;
    if (photo.state === 'damaged')
      return problem(context, 422, 'damaged_photo', 'the photo is damaged and cannot be shown') as never;
    const bytes = Buffer.from(photo.image, 'base64');
    const type = imageType(bytes);
    if (type === null) return problem(context, 422, 'damaged_photo', 'what was sent as a photo is none') as never;
    context.set('subject', `photo of ${photo.extId || 'a stranger'}, passage ${id}`);
    return context.body(bytes, 200, {
      'Content-Type': type,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    }) as never;
  });
}

/** By the first bytes; never what a browser could run. */
function imageType(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 12).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('\x89PNG\r\n')) return 'image/png';
  if (head.startsWith('BM')) return 'image/bmp';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : null;
}
