import type { SampleCall } from './samples.ts';
import { docsWords } from './words.ts';

/** The part of OpenAPI 3.1 that the box writes. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  /** By command. */
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Content {
  readonly content?: Readonly<Record<string, Media>>;
  readonly description?: string;
}
export interface Parameter {
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: string;
}
interface Described {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
}
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export type Group = 'admin' | 'attendance' | 'services' | 'oauth' | 'devices';
/** In the order of the page: integrators look for the first two. */
export const groups: readonly Group[] = ['attendance', 'services', 'oauth', 'devices', 'admin'];

export interface Operation extends Described {
  readonly method: string;
  readonly path: string;
  readonly group: Group;
  /** `Api-Cmd` of the attendance API; empty: the path says all. */
  readonly command: string;
}

const groupOf = (path: string): Group => {
  if (path.startsWith('/admin/')) return 'admin';
  if (path.startsWith('/v2.0/')) return 'attendance';
  if (/^\/api\/v?1\.0\.0\//.test(path) || path.startsWith('/public/')) return 'services';
  return /oauth|login|userinfo/.test(path) ? 'oauth' : 'devices';
};

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Every call of the document, by path and then by method. */
export const operationsOf = ({ paths }: OpenApi): Operation[] =>
  Object.entries(paths)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([path, item]) =>
      methods.flatMap(method =>
        item[method]
          ? byCommand({ ...item[method], method: method.toUpperCase(), path, group: groupOf(path), command: '' })
          : [],
      ),
    );

/** The commands of the attendance API share one path: their bodies and answers are alternatives. */
function byCommand(all: Operation): Operation[] {
  const { parameters = [], requestBody, responses } = all;
  const commands = parameters.find(({ name }) => name === 'Api-Cmd')?.schema?.enum as readonly string[] | undefined;
  if (!commands) return [all];
  return commands.map((command, index) => ({
    ...all,
    command,
    summary: only(requestBody, index)?.content?.['application/json']?.schema?.description ?? command,
    parameters: parameters.map(one => (one.name === 'Api-Cmd' ? { ...one, schema: { const: command } } : one)),
    requestBody: only(requestBody, index)!,
    responses: Object.fromEntries(
      Object.entries(responses ?? {}).map(([status, content]) => [status, only(content, index)!]),
    ),
  }));
}

/** One of several schemas. */
const only = (of: Content | undefined, index: number): Content | undefined =>
  of && {
    ...of,
    content: Object.fromEntries(
      Object.entries(of.content ?? {}).map(([type, media]) => [
        type,
        { ...media, schema: media.schema?.anyOf?.[index] ?? media.schema ?? {} },
      ]),
    ),
  };

/** A call of a signed API with the examples of the document; null: the call is not signed. */
export function sampleCallOf(
  { method, path, group, command, parameters = [], requestBody }: Operation,
  origin: string,
): SampleCall | null {
  const isSigned = parameters.some(({ name }) => name === 'App-Sig' || name === 'sig');
  if (!isSigned || (group !== 'attendance' && group !== 'services')) return null;
  const exampleOfParameter = (name: string) => parameters.find(one => one.name === name)?.example ?? name;
  const query = parameters
    .filter(one => one.in === 'query' && (one.required || one.example !== undefined))
    .map(({ name }) => `${name}=${encodeURIComponent(exampleOfParameter(name))}`)
    .join('&');
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const example = media?.example ?? media?.examples?.[command]?.value;
  return {
    ...{ api: group, origin, method: method === 'POST' ? 'POST' : 'GET' },
    path: path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(exampleOfParameter(name))),
    query: query === '' ? '' : `?${query}`,
    headers: [
      ...(type === undefined ? [] : ([['Content-Type', type]] as const)),
      ...(command === ''
        ? []
        : ([
            ['Api-Module', 'CHECKIN'],
            ['Api-Cmd', command],
          ] as const)),
    ],
    body: example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example),
  };
}

const depthMax = 4;

/** A schema in short notation: `{ name: string, age?: number }`. */
export function shapeOf(schema: Schema | undefined, document: OpenApi, depth = 0): string {
  if (!schema) return 'any';
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)!;
    const found = document.components?.schemas?.[name];
    return depth >= depthMax || !found ? name : shapeOf(found, document, depth + 1);
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(one => JSON.stringify(one)).join(' | ');
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice) return [...new Set(choice.map(one => shapeOf(one, document, depth)))].join(' | ');
  if (schema.allOf) return schema.allOf.map(one => shapeOf(one, document, depth)).join(' & ');
  if (schema.items || schema.type === 'array') return `[${shapeOf(schema.items, document, depth)}]`;
  if (schema.properties) return fieldsOf(schema, document, depth);
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : ((schema.type as string | undefined) ?? 'any');
  return `${type}${bounds(schema)}`;
}

function fieldsOf(schema: Schema, document: OpenApi, depth: number): string {
  if (depth >= depthMax) return '{ … }';
  const inner = '  '.repeat(depth + 1);
  const lines = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    const note = one.description ? `  // ${one.description}` : '';
    return `${inner}${name}${mark}: ${shapeOf(one, document, depth + 1)}${note}`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

function bounds({ minimum, maximum, maxLength, default: byDefault }: Schema): string {
  const parts = [
    ...(minimum !== undefined && minimum > -1e15 ? [`≥ ${minimum}`] : []),
    ...(maximum !== undefined && maximum < 1e15 ? [`≤ ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`≤ ${maxLength} ${docsWords.value.characters}`]),
    ...(byDefault === undefined ? [] : [`= ${JSON.stringify(byDefault)}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** An example body: every required field, with a value of its type. */
function exampleOf(schema: Schema | undefined, document: OpenApi, depth = 0): unknown {
  if (!schema || depth > depthMax) return {};
  if (schema.$ref)
    return exampleOf(document.components?.schemas?.[schema.$ref.split('/').at(-1)!], document, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choice) return exampleOf(choice[0], document, depth);
  if (schema.type === 'array') return [];
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(0, schema.minimum ?? 0);
  if (schema.type === 'boolean') return false;
  if (schema.type === 'string') return '…';
  const needed = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(needed.map(([name, one]) => [name, exampleOf(one, document, depth + 1)]));
}

/** The call as a shell command, with placeholders in capitals. */
export function curlOf(
  { method, path, parameters = [], requestBody, group }: Operation,
  document: OpenApi,
  origin: string,
): string {
  const query = parameters
    .filter(one => one.in === 'query' && one.required)
    .map(({ name }) => `${name}=${name.toUpperCase()}`)
    .join('&');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => name.toUpperCase());
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return [
    `curl --cacert trust.pem${method === 'GET' ? '' : ` -X ${method}`} '${origin}${filled}${query === '' ? '' : `?${query}`}'`,
    ...(group === 'admin' ? [`-H 'Authorization: Bearer TOKEN'`] : []),
    ...parameters
      .filter(one => one.in === 'header')
      .map(({ name }) => `-H '${name}: ${name.toUpperCase().replaceAll('-', '_')}'`),
    ...(type === undefined
      ? []
      : [
          `-H 'Content-Type: ${type}'`,
          type.includes('json')
            ? `-d '${JSON.stringify(exampleOf(content?.schema, document))}'`
            : '--data-binary @FILE',
        ]),
  ].join(' \\\n  ');
}
