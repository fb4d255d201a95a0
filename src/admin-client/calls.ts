import type { AdminOperation, Given, Report } from '../admin/index.ts';

/**
 * The client of the admin API, over whatever carries a request: a browser's fetch, the socket of a
 * running box, or the app of a stopped one in this process. A call names method and path; what may
 * be asked and what is answered follow from the schemas of the operation, so a caller that asks for
 * or reads what is not there does not compile. No schema is loaded for it.
 */

type Json = Extract<AdminOperation, { readonly answer: unknown }>;
type Lines = Extract<AdminOperation, { readonly line: unknown }>;
type Files = Extract<AdminOperation, { readonly files: unknown }>;
type At<Some extends AdminOperation, Method, Path> = Extract<Some, { readonly method: Method; readonly path: Path }>;
type PathIn<Some extends AdminOperation, Method> = Extract<Some, { readonly method: Method }>['path'];

type Method = Json['method'];
/** Path such as `/people/{ext_id}`. */
export type PathOf<M extends Method> = PathIn<Json, M>;
export type AskedOf<M extends Method, Path> = Given<At<Json, M, Path>>;
export type AnswerOf<M extends Method, Path> = Report<At<Json, M, Path>['answer']>;
type LineOf<M extends Method, Path> = Report<At<Lines, M, Path>['line']>;

/** The remaining arguments of a call: `asked` may be left out where no field of it is required. */
type Arguments<Asked, More extends readonly unknown[] = []> = object extends Asked
  ? [asked?: Asked, ...more: More]
  : [asked: Asked, ...more: More];
export type Rest<M extends Method, Path, More extends readonly unknown[] = []> = Arguments<AskedOf<M, Path>, More>;

export interface AdminRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /admin/v1, with its query. */
  readonly path: string;
  /** To be sent as JSON; undefined: there is none. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** An answer of status 200. */
export interface AdminAnswer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  json(): Promise<unknown>;
  pieces(): AsyncIterable<Uint8Array>;
}

/**
 * Resolves with an answer of status 200, and throws the refusal otherwise; what it throws reaches
 * the caller of each function below.
 */
export type Ask = (request: AdminRequest) => Promise<AdminAnswer>;

/** `cut`: the error of an answer of lines that ended before its end. */
export function adminCalls(ask: Ask, cut: () => Error) {
  const json = async (request: AdminRequest) => (await ask(request)).json() as never;
  const reading = (method: 'GET' | 'DELETE', path: string, asked?: object, signal?: AbortSignal): AdminRequest => ({
    method,
    path: addressOf(path, asked),
    signal,
  });
  const writing = (method: 'POST' | 'PUT', path: string, asked?: object, signal?: AbortSignal): AdminRequest => {
    const { path: address, rest } = filled(path, asked);
    return { method, path: address, body: rest, signal };
  };
  const request = (method: Method, path: string, asked?: object, signal?: AbortSignal) => {
    if (method === 'get') return reading('GET', path, asked, signal);
    if (method === 'delete') return reading('DELETE', path, asked, signal);
    return writing(method === 'post' ? 'POST' : 'PUT', path, asked, signal);
  };
  return {
    get: <Path extends PathOf<'get'>>(
      path: Path,
      ...[asked, signal]: Rest<'get', Path, [signal?: AbortSignal]>
    ): Promise<AnswerOf<'get', Path>> => json(request('get', path, asked, signal)),
    post: <Path extends PathOf<'post'>>(path: Path, ...[asked]: Rest<'post', Path>): Promise<AnswerOf<'post', Path>> =>
      json(request('post', path, asked)),
    put: <Path extends PathOf<'put'>>(path: Path, ...[asked]: Rest<'put', Path>): Promise<AnswerOf<'put', Path>> =>
      json(request('put', path, asked)),
    erase: <Path extends PathOf<'delete'>>(
      path: Path,
      ...[asked]: Rest<'delete', Path>
    ): Promise<AnswerOf<'delete', Path>> => json(request('delete', path, asked)),
    /** The values of an answer of lines, each as it comes. */
    lines: <M extends Method, Path extends PathIn<Lines, M>>(
      method: M,
      path: Path,
      ...[asked, signal]: Arguments<Given<At<Lines, M, Path>>, [signal?: AbortSignal]>
    ): AsyncGenerator<LineOf<M, Path>> => linesOf(() => ask(request(method, path, asked, signal)), cut),
    file: <M extends Method, Path extends PathIn<Files, M>>(
      method: M,
      path: Path,
      ...[asked]: Arguments<Given<At<Files, M, Path>>>
    ): Promise<AdminAnswer> => ask(request(method, path, asked)),
  };
}

/** The last line of a whole answer is empty. */
async function* linesOf(ask: () => Promise<AdminAnswer>, cut: () => Error): AsyncGenerator<never> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of (await ask()).pieces()) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === '') return;
      yield JSON.parse(line) as never;
    }
  }
  throw cut();
}

/** `/people/{ext_id}` with what stands for `ext_id`, and what is left over. */
function filled(path: string, asked: object = {}) {
  const rest = new Map(Object.entries(asked));
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  return { path: address, rest: Object.fromEntries(rest) };
}

/** Of a GET: what does not stand in the path is its query. */
export function addressOf(path: string, asked?: object): string {
  const { path: address, rest } = filled(path, asked);
  return address + query(rest);
}

/** `?a=1&b=2` of the given values, a list as several; empty and missing ones are left out. */
export function query(values: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') params.append(name, String(one));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
