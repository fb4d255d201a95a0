import { z } from 'zod';
import { isNoFields } from '../../platform/json-bytes.ts';
import { serviceLimits } from '../../platform/services.ts';
import { badRequest } from '../refusal.ts';

/** Any fields; `[]` and `null` are none. */
const fields = z.preprocess(value => (isNoFields(value) ? {} : value), z.record(z.string(), z.unknown()).default({}));
const content = {
  template: z.string().min(1).max(64),
  template_params: fields,
};
const names = z.preprocess(
  value => value ?? undefined,
  z.array(z.string().min(1).max(128)).max(serviceLimits.targetsMax).default([]),
);

/** SPEC 4.7, app push message. */
export const appMessage = z.object({
  content: z.object({ ...content, extra: fields }),
  platforms: z.array(z.enum(['android', 'ios'])).min(1),
  target: z
    .object({ identities: names, tags: names })
    .refine(target => target.identities.length + target.tags.length > 0, {
      error: 'name identities or tags: nobody is not everybody',
    }),
});

/** SPEC 4.7, SMS. The area code is written with or without its plus. */
export const shortMessage = z.object({
  content: z.object(content),
  target: z
    .array(
      z.object({
        mobile: z.string().regex(/^\d{3,20}$/, { error: 'a phone number: digits alone' }),
        mobile_region: z.string().regex(/^\+?\d{1,4}$/, { error: 'an area code such as 86' }),
      }),
    )
    .min(1)
    .max(serviceLimits.shortMessageNumbersMax),
});

/** Throws ServiceRefused (400) naming the first field that is wrong. */
export function readRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest(`${issue!.path.join('.') || 'the body'}: ${issue!.message}`);
}

/** `msgIdList` (SPEC 4.7): at most ten, each once. */
export function readIds(list: string | undefined): string[] {
  const ids = [...new Set((list ?? '').split(',').map(id => id.trim()))].filter(id => id !== '');
  if (ids.length === 0) throw badRequest('msgIdList: needed: ids with commas between');
  if (ids.length > serviceLimits.messageIdsMax) throw badRequest('msgIdList: at most 10 ids');
  return ids;
}

/**
 * `{{name}}` becomes the parameter. Throws ServiceRefused (400) for one that is missing: half a
 * sentence is not sent.
 */
export function fillTemplate(text: string, parameters: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_all, name: string) => {
    const value = parameters[name];
    if (value === undefined || value === null || typeof value === 'object')
      throw badRequest(`content.template_params.${name}: needed by the template`);
    return String(value);
  });
}
