import type { z } from 'zod';
import type { KeyMeta } from './kinds.ts';
import { configSchema } from './schema.ts';

/** One key of the config file, from the schema. */
export interface ConfigKey {
  readonly path: readonly string[];
  readonly section: boolean;
  /** The kind of value, such as `host:port or off`. */
  readonly kind: string;
  readonly meta: KeyMeta;
  /** Undefined: no default; the key is absent unless it is written. */
  readonly byDefault: unknown;
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly defaultValue?: unknown;
  readonly shape?: Record<string, z.ZodType>;
  readonly entries?: Record<string, string>;
  readonly in?: z.ZodType;
}

export const definition = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** The schema inside defaults and optionals, with the default that was found. */
export function unwrap(schema: z.ZodType): { inner: z.ZodType; byDefault: unknown } {
  let inner = schema;
  let byDefault: unknown;
  for (let def = definition(inner); def.innerType; def = definition(inner)) {
    if (def.type === 'default') byDefault = def.defaultValue;
    inner = def.innerType;
  }
  return { inner, byDefault };
}

function kindOf(schema: z.ZodType): string {
  const def = definition(schema);
  if (def.type === 'enum') return Object.keys(def.entries ?? {}).join(' | ');
  return { string: 'text', number: 'whole number', boolean: 'true | false', array: 'list' }[def.type] ?? def.type;
}

function* walk(shape: Record<string, z.ZodType>, above: readonly string[]): Generator<ConfigKey> {
  for (const [name, schema] of Object.entries(shape)) {
    const path = [...above, name];
    const { inner, byDefault } = unwrap(schema);
    const meta = (schema.meta() ?? {}) as KeyMeta;
    const inside = definition(inner).shape;
    yield { path, section: inside !== undefined, kind: meta.kind ?? kindOf(inner), meta, byDefault };
    if (inside) yield* walk(inside, path);
  }
}

/**
 * Every key that a config file may hold, sections before their keys, in the order of CONTRACT 2.
 */
export const configKeys: readonly ConfigKey[] = [...walk(configSchema.def.shape, [])];

const byPath = new Map(configKeys.map(key => [key.path.join('.'), key]));

export const configKey = (path: readonly (string | number)[]): ConfigKey | undefined => byPath.get(path.join('.'));
