/** A schema of /openapi.json, as far as it says how a body looks. */
export interface BodySchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly items?: BodySchema;
  readonly anyOf?: readonly BodySchema[];
  readonly oneOf?: readonly BodySchema[];
  readonly allOf?: readonly BodySchema[];
}

type Components = Readonly<Record<string, BodySchema>>;

/** So many of the values that a field may have are tried. */
const choicesMax = 6;

/**
 * Bodies that a schema describes, with all its fields: some for each text in it, which is `text`
 * there. The other fields are as they may be, each choice in turn.
 */
export function bodiesWith(text: string, schema: BodySchema, components: Components): string[] {
  let texts = 0;
  let filled = 0;
  let turn = 0;
  let choices = 1;
  const chosen = <One>(of: readonly One[]): One => {
    choices = Math.max(choices, Math.min(of.length, choicesMax));
    return of[turn % of.length]!;
  };
  const sample = (one: BodySchema, depth: number): unknown => {
    const { $ref, type, format, properties, items, anyOf, oneOf, allOf } = one;
    if ($ref) return depth > 6 ? {} : sample(components[$ref.split('/').at(-1)!]!, depth + 1);
    if (one.const !== undefined) return one.const;
    if (one.enum) return chosen(one.enum);
    if (allOf) return Object.assign({}, ...allOf.map(part => sample(part, depth)));
    const choice = anyOf ?? oneOf;
    if (choice) return sample(chosen(choice), depth);
    if (properties)
      return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sample(field, depth + 1)]));
    if (items) return [sample(items, depth + 1)];
    switch (Array.isArray(type) ? type[0] : type) {
      case 'string':
        if (texts++ === filled) return text;
        return format === 'date' ? '2026-11-26' : 'x';
      case 'integer':
      case 'number':
        return one.minimum ?? 1;
      case 'boolean':
        return true;
      default:
        return {};
    }
  };
  const bodies: string[] = [];
  for (; turn < choices; turn++)
    for (filled = 0, texts = 1; filled < texts; filled++) {
      texts = 0;
      const body = JSON.stringify(sample(schema, 0));
      if (filled < texts) bodies.push(body);
    }
  return bodies;
}
