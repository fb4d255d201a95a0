import type { z } from '@hono/zod-openapi';
import type { Caller } from '../accounts/index.ts';
import type { DeepReadonly } from '../runtime/deep-readonly.ts';
import type { EventRights, OwnPagePerson, TokenRole } from '../store/index.ts';
import type { Described } from '../words/described.ts';
import type { Reason } from '../words/sentences.ts';

/**
 * One call of the admin API, written down once. From it come the route and its entry in
 * /openapi.json (serve.ts), the client of the commands (remote.ts), and the types of what it takes
 * and returns.
 */
interface Operation<
  Method extends Verb = Verb,
  Path extends string = string,
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
> {
  readonly method: Method;
  /** Path below /admin/v1, such as `/users/{name}`. */
  readonly path: Path;
  /**
   * The lowest role that may call it. By convention a viewer reads, staff changes people and what
   * belongs to them, an admin changes the box; an admin alone reads what holds secrets. `events`: a
   * program of the site too (guard.ts lists what it may read).
   */
  readonly role: TokenRole;
  readonly summary: Described;
  /** Name in the audit log, such as `changed a device`; absent: the log names its call. */
  readonly audited?: Described;
  readonly params?: Params;
  readonly query?: Query;
  /** JSON. */
  readonly body?: Body;
  /** Of the body, in bytes. Absent: 64 KiB. */
  readonly bodyBytesMax?: number;
  /** The body is a file: it is read as it comes (`Call.upload`). */
  readonly upload?: {
    readonly bytesMax: number;
    /** Absent: /openapi.json says nothing of it. */
    readonly type?: string;
    /** Why a larger one is refused, as a word for the pages. */
    readonly word?: string;
    readonly headers?: z.ZodObject;
  };
  /**
   * Whether the answer is a statement about people, such as a month: it waits until the tables hold
   * everything acknowledged when it was asked, or is refused (serve.ts).
   */
  readonly ofWholeTables?: true;
  /**
   * The answer may hold secrets and is never compressed, like the answers of all operations of an
   * admin (docs/decisions/admin-api.md).
   */
  readonly holdsSecrets?: true;
  /** Description of the answer. */
  readonly returns: Described;
  /** Refusals beyond 400 and 403, which every operation has. */
  readonly failures?: Readonly<Record<number, Described>>;
}

type Verb = 'get' | 'post' | 'put' | 'delete';
type Fields = z.ZodObject | undefined;

/** Its answer is one JSON value. */
interface JsonOperation<
  Method extends Verb = Verb,
  Path extends string = string,
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
  Answer extends z.ZodType = z.ZodType,
> extends Operation<Method, Path, Params, Query, Body> {
  readonly answer: Answer;
}

/** Its answer is one JSON value a line. A whole one ends with an empty line. */
export interface LinesOperation<
  Method extends Verb = Verb,
  Path extends string = string,
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
  Line extends z.ZodType = z.ZodType,
> extends Operation<Method, Path, Params, Query, Body> {
  readonly line: Line;
  /** Each is written as soon as it is there. Absent: many are written at once. */
  readonly eachAtOnce?: true;
}

/** Its answer is a file, of one of these media types. */
interface FileOperation<
  Method extends Verb = Verb,
  Path extends string = string,
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
> extends Operation<Method, Path, Params, Query, Body> {
  readonly files: Readonly<Record<string, z.ZodType>>;
}

/** Every change has a name in the audit log. */
type Audited<Method extends Verb> = Method extends 'get' ? unknown : { readonly audited: Described };

export type AnyOperation = JsonOperation | LinesOperation | FileOperation;

export const operation = <
  Answer extends z.ZodType,
  const Method extends Verb,
  const Path extends string,
  Params extends Fields = undefined,
  Query extends Fields = undefined,
  Body extends Fields = undefined,
>(
  written: JsonOperation<Method, Path, Params, Query, Body, Answer> & Audited<Method>,
): JsonOperation<Method, Path, Params, Query, Body, Answer> => written;

export const linesOperation = <
  Line extends z.ZodType,
  const Method extends Verb,
  const Path extends string,
  Params extends Fields = undefined,
  Query extends Fields = undefined,
  Body extends Fields = undefined,
>(
  written: LinesOperation<Method, Path, Params, Query, Body, Line> & Audited<Method>,
): LinesOperation<Method, Path, Params, Query, Body, Line> => written;

export const fileOperation = <
  const Method extends Verb,
  const Path extends string,
  Params extends Fields = undefined,
  Query extends Fields = undefined,
  Body extends Fields = undefined,
>(
  written: FileOperation<Method, Path, Params, Query, Body> & Audited<Method>,
): FileOperation<Method, Path, Params, Query, Body> => written;

/** Caller of an operation, and its notes on the call. */
export interface Call {
  readonly caller: Caller;
  /** Of "My attendance", whose it is; absent: the caller is no employee. */
  readonly employee?: OwnPagePerson;
  /** Of a program of the site, what it may hear; null: it is somebody else. */
  readonly hears: EventRights | null;
  readonly upload?: Upload;
  /** Aborts when the caller has gone away. */
  readonly signal?: AbortSignal;
  /** The last record that the tables hold for certain; absent: they were not waited for. */
  readonly upToRecord?: number;
  /**
   * Says who or what the call was about, for the audit log. A read is written down only if it says
   * so.
   */
  subject(about: string | Reason): void;
  /** Reads of one minute are counted into one entry of the audit log. */
  isReadOften(): void;
}

/** A command on the box's own store: whoever may open it is an admin. */
export const byCommand: Call = {
  caller: { actor: 'command', account: 'command', role: 'admin', via: 'socket', address: '' },
  hears: null,
  subject: () => {},
  isReadOften: () => {},
};

/** A file that comes as the body of a call. */
interface Upload {
  /** As the caller announced it; NaN: it did not. */
  readonly bytes: number;
  readonly stream: AsyncIterable<Uint8Array> | null;
  /** The whole of it: for what fits into memory. */
  whole(): Promise<Uint8Array>;
  header(name: string): string | undefined;
}

export interface FileAnswer {
  readonly type: string;
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The file could not be made to its end; the caller has had a part of it. */
  onCut?(error: Error): void;
}

/** Output of a schema: the type of an answer, stated nowhere else. */
export type Report<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;

/** Params, query and body of an operation in one object; no two of them share a name. */
export type Asked<Op> =
  Op extends Operation<Verb, string, infer Params, infer Query, infer Body>
    ? Output<Params> & Output<Query> & Output<Body>
    : never;

type Input<Schema> = Schema extends z.ZodType ? DeepReadonly<z.input<Schema>> : unknown;
/** A page leaves out what is empty; what is read from an address is text. */
type Written = string | number | boolean | readonly string[] | null | undefined;
type InQuery<Schema> = Schema extends z.ZodType ? { readonly [Key in keyof z.input<Schema>]?: Written } : unknown;

/** The same as its caller gives it, before the defaults: for the pages. */
export type Given<Op> =
  Op extends Operation<Verb, string, infer Params, infer Query, infer Body>
    ? object & Input<Params> & InQuery<Query> & Input<Body>
    : never;

type Arguments<Op> = object extends Asked<Op> ? [asked?: Asked<Op>, call?: Call] : [asked: Asked<Op>, call?: Call];

/** Answer of an operation: a JSON value, or lines of them, or a file. */
type Answer<Op> = Op extends { readonly answer: infer Schema extends z.ZodType }
  ? Promise<Report<Schema>>
  : Op extends { readonly line: infer Line extends z.ZodType }
    ? AsyncIterable<Report<Line>>
    : Promise<FileAnswer>;

type Run<Op> = (...args: Arguments<Op>) => Answer<Op>;

/**
 * Handlers of operations: the parts of a running box, the store of a stopped one, or a client at
 * the other end of the socket. A refusal is thrown as `AdminRefused`.
 */
export type Running<Operations> = { readonly [Name in keyof Operations]: Run<Operations[Name]> };

/** One resource of the admin API: its operations, and what runs them. */
interface Resource<Operations, Parts, Stopped> {
  readonly operations: Operations;
  /** Of a running box. */
  running(parts: Parts): Running<Operations>;
  /** Of a stopped box; what is left out is refused there. */
  stopped(parts: Stopped): Partial<Running<Operations>>;
}

/** Without `stopped` a stopped box refuses all of them. */
export const resource = <Operations, Parts, Stopped = unknown>(
  operations: Operations,
  running: (parts: Parts) => Running<NoInfer<Operations>>,
  stopped: (parts: Stopped) => Partial<Running<NoInfer<Operations>>> = () => ({}),
): Resource<Operations, Parts, Stopped> => ({ operations, running, stopped });

type Table = Readonly<
  Record<
    string,
    {
      readonly operations: Readonly<Record<string, AnyOperation>>;
      running(parts: never): unknown;
      stopped(parts: never): unknown;
    }
  >
>;

/** All that the resources of a table ask for, together. */
export type PartsOf<Resources extends Table, Side extends 'running' | 'stopped'> = {
  [Name in keyof Resources]: (parts: Parameters<Resources[Name][Side]>[0]) => void;
}[keyof Resources] extends (parts: infer All) => void
  ? All
  : never;

export type RunningTable<Resources extends Table> = {
  readonly [Name in keyof Resources]: Running<Resources[Name]['operations']>;
};

export const runningOf = <const Resources extends Table>(
  resources: Resources,
  parts: PartsOf<Resources, 'running'>,
): RunningTable<Resources> =>
  Object.fromEntries(
    Object.entries(resources).map(([name, { running }]) => [name, running(parts as never)]),
  ) as unknown as RunningTable<Resources>;
