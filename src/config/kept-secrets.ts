import type { z } from 'zod';
import { definition, unwrap } from './keys.ts';
import type { KeyMeta } from './kinds.ts';
import { isMap, type Values } from './values.ts';

/** Settings whose secrets stay, or which key has to be sent again and why. */
type KeptSecrets =
  | { readonly ok: true; readonly settings: Values }
  | { readonly ok: false; readonly path: string; readonly why: string };

/** Settings as they may be shown: null in the place of each secret of their schema. */
export function withoutSecrets(schema: z.ZodType, settings: Readonly<Values>): Values {
  const shape = shapeOf(schema);
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      const of = shape[key];
      if (of && metaOf(of).secret && value !== undefined) return [key, null];
      return [key, of && isMap(value) ? withoutSecrets(of, value) : value];
    }),
  );
}

/**
 * Fills in the secrets that a caller left as they were (null). A secret goes with the settings
 * beside it, such as the host and the user: where one of them has changed, the caller has to send
 * the secret again. Otherwise whoever may change a setting could have a secret sent to a server of
 * their own.
 */
export function keepSecrets(schema: z.ZodType, sent: Readonly<Values>, kept: Readonly<Values>): KeptSecrets {
  return keepIn(schema, sent, kept, []);
}

function keepIn(schema: z.ZodType, sent: Readonly<Values>, kept: Readonly<Values>, above: string[]): KeptSecrets {
  const shape = shapeOf(schema);
  const settings: Values = {};
  const isKept = (key: string) => sent[key] === null && metaOf(shape[key]).secret === true;
  const changed = Object.keys(shape).filter(
    key => !isKept(key) && !metaOf(shape[key]).besideSecret && !isSame(written(shape[key]!, sent[key]), kept[key]),
  );
  for (const [key, value] of Object.entries(sent)) {
    const of = shape[key];
    const path = [...above, key];
    if (isKept(key)) {
      if (kept[key] === undefined) continue;
      if (changed.length > 0) {
        const where = path.join('.');
        const changes = changed.map(one => [...above, one].join('.')).join(', ');
        const why = `${where}: missing, since ${changes} changed: send it again, as it was given for what was there before`;
        return { ok: false, path: where, why };
      }
      settings[key] = kept[key];
    } else if (of && isMap(value)) {
      const before = kept[key];
      const inside = keepIn(of, value, isMap(before) ? before : {}, path);
      if (!inside.ok) return inside;
      settings[key] = inside.settings;
    } else settings[key] = value;
  }
  return { ok: true, settings };
}

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> => definition(unwrap(schema).inner).shape ?? {};

const metaOf = (schema: z.ZodType | undefined): KeyMeta => (schema?.meta() ?? {}) as KeyMeta;

/** A value that was sent, as the schema reads it; an absent one is its default. */
const written = (schema: z.ZodType, value: unknown): unknown => {
  const read = schema.safeParse(value);
  return read.success ? read.data : value;
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
