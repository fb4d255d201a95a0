import { readFileSync } from 'node:fs';

/**
 * The part of test/admin/openapi.golden.json that is used here; another test checks that the box
 * serves the same document.
 */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}
type Responses = Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>;
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Responses }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let read: Document | undefined;
const document = (): Document => {
  read ??= JSON.parse(readFileSync(new URL('../admin/openapi.golden.json', import.meta.url), 'utf8')) as Document;
  return read;
};

/**
 * Throws where an answer of the admin API is not what /openapi.json says of it, naming each place.
 * `path` is the one that was called, below /admin/v1. A field that is not in the document is an
 * error too.
 */
export function checkAnswer(method: string, path: string, status: number, body: unknown): void {
  const operation = operationOf(method, path);
  if (!operation) return;
  const schema = operation.responses[status]?.content?.['application/json']?.schema;
  const wrong = schema ? problemsOf(schema, body, '') : [];
  if (wrong.length > 0)
    throw new Error(`${method} ${path} answers what /openapi.json does not say: ${wrong.join('; ')}`);
}

function operationOf(method: string, path: string) {
  const asked = `/admin/v1${path.split('?')[0]}`;
  const { paths } = document();
  const fits = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked);
  const found = paths[asked]
    ? asked
    : Object.keys(paths).find(pattern => fits(pattern) && method.toLowerCase() in paths[pattern]!);
  return found === undefined ? undefined : paths[found]![method.toLowerCase()];
}

function problemsOf(schema: Schema, value: unknown, at: string): string[] {
  const { $ref, type, enum: choices, anyOf, oneOf, allOf, items } = schema;
  if ($ref) return problemsOf(document().components.schemas[$ref.split('/').at(-1)!]!, value, at);
  const choice = anyOf ?? oneOf;
  if (choice) {
    const tried = choice.map(one => problemsOf(one, value, at));
    return tried.some(one => one.length === 0)
      ? []
      : tried.reduce((one, other) => (other.length < one.length ? other : one));
  }
  if (allOf) return allOf.flatMap(one => problemsOf(one, value, at));
  if ('const' in schema && value !== schema.const)
    return [`${at}: ${JSON.stringify(value)} is not ${JSON.stringify(schema.const)}`];
  if (choices && !choices.includes(value)) return [`${at}: ${JSON.stringify(value)} is none of ${choices.join(', ')}`];
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some(one => isOf(one, value)))
    return [`${at}: ${JSON.stringify(value) ?? 'missing'} is no ${types.join(' or ')}`];
  if (Array.isArray(value)) return items ? value.flatMap((one, index) => problemsOf(items, one, `${at}/${index}`)) : [];
  if (typeof value === 'object' && value !== null) return fieldProblems(schema, value, at);
  return [];
}

function fieldProblems(
  { properties, required = [], additionalProperties }: Schema,
  value: object,
  at: string,
): string[] {
  if (!properties && additionalProperties === undefined) return [];
  return [
    ...required.filter(name => !(name in value)).map(name => `${at}/${name} is missing`),
    ...Object.entries(value).flatMap(([name, one]) => {
      const schema = properties?.[name] ?? additionalProperties ?? false;
      if (schema === true) return [];
      return schema === false ? [`${at}/${name} is not in the document`] : problemsOf(schema, one, `${at}/${name}`);
    }),
  ];
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
