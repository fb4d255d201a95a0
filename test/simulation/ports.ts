import { EventEmitter } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { type Coming, Lane, type Life, type World } from './world.ts';

const require = createRequire(import.meta.url);
const node = {
  crypto: require('node:crypto'),
  fs: require('node:fs'),
  net: require('node:net'),
  timersPromises: require('node:timers/promises'),
  workerThreads: require('node:worker_threads'),
};
const nothing = () => {};

/** Entries of the threads of a program, by role. `Throws` what its thread would end with. */
export type ThreadEntries = Readonly<Record<string, (port: Port, data: never) => void>>;

/** Parts of Node that reach beyond the program, as the simulation has them. */
export interface Outside {
  readonly world: () => World;
  readonly threads: ThreadEntries;
  readonly net: { connect(options: { readonly port: number; readonly host: string }): unknown };
  readonly fs: Readonly<Record<string, unknown>>;
}

/**
 * Puts the simulation in the place of what Node has of time, chance, threads, sockets and disks, for
 * this process and for good: the programs that run in it know nothing of it. What Node itself keeps
 * inside (ticks, promises, streams) is the same on every run, and stays.
 */
export function takeTheWorldFromNode({ world, threads, net, fs }: Outside): void {
  const schedule = (ms: number, act: (...args: unknown[]) => void, args: unknown[]) =>
    new Timer(world(), Math.max(1, Number(ms) || 0), () => act(...args));
  const clear = (timer?: Timer) => timer?.[Symbol.dispose]?.();
  Object.assign(globalThis, {
    setTimeout: (act: () => void, ms = 1, ...args: unknown[]) => schedule(ms, act, args),
    clearTimeout: clear,
    setInterval: (act: () => void, ms = 1, ...args: unknown[]) => schedule(ms, act, args).repeating(),
    clearInterval: clear,
    setImmediate: (act: (...args: unknown[]) => void, ...args: unknown[]) => new Timer(world(), 0, () => act(...args)),
    clearImmediate: clear,
  });
  Date.now = () => world().wall;
  performance.now = () => world().monotonic;
  Math.random = () => world().random();
  const waited =
    (least: number) =>
    (ms = 0, value: unknown = undefined, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const leave = () => {
          timer[Symbol.dispose]();
          reject(signal?.reason);
        };
        const timer = new Timer(world(), Math.max(least, ms), () => {
          signal?.removeEventListener('abort', leave);
          resolve(value);
        });
        signal?.addEventListener('abort', leave);
      });
  node.timersPromises.setTimeout = waited(1);
  node.timersPromises.setImmediate = (value: unknown) => waited(0)(0, value);
  node.crypto.randomBytes = (count: number) => {
    const bytes = Buffer.alloc(count);
    for (let at = 0; at < count; at++) bytes[at] = world().random() * 256;
    return bytes;
  };
  node.crypto.randomInt = (from: number, to?: number) => {
    const [low, high] = to === undefined ? [0, from] : [from, to];
    return low + Math.floor(world().random() * (high - low));
  };
  node.crypto.randomUUID = () => node.crypto.randomBytes(16).toString('hex');
  node.workerThreads.receiveMessageOnPort = (port: Port) => port.receive();
  node.workerThreads.Worker = class extends Thread {
    constructor(_file: unknown, { workerData }: { workerData: { readonly role: string } }) {
      super(world(), workerData, threads);
    }
  };
  node.net.createConnection = net.connect;
  node.net.connect = net.connect;
  Object.assign(node.fs, fs);
  syncBuiltinESMExports();
}

class Timer {
  readonly #world: World;
  readonly #ms: number;
  readonly #act: () => void;
  readonly #lane: Lane | null;
  #coming: Coming;

  constructor(world: World, ms: number, act: () => void) {
    this.#world = world;
    this.#ms = ms;
    this.#act = act;
    this.#lane = world.lane;
    this.#coming = world.after(ms, act);
  }

  repeating(): this {
    const again = () => {
      this.#coming = this.#world.after(this.#ms, again, this.#lane);
      this.#act();
    };
    this.#coming.act = again;
    return this;
  }

  refresh(): this {
    const { act } = this.#coming;
    this.#world.cancel(this.#coming);
    this.#coming = this.#world.after(this.#ms, act ?? this.#act, this.#lane);
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  close(): void {
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#world.cancel(this.#coming);
  }
}

/** A message is on its way between two threads for some microseconds. */
const messageMs = 0.02;

/** The thread's end of the messages between a thread and its program. */
export class Port {
  readonly #world: World;
  readonly #lane: Lane;
  readonly #toMain: (message: unknown) => void;
  readonly #closed: () => void;
  readonly #queue: unknown[] = [];
  #take: (message: never) => void = nothing;

  constructor(world: World, lane: Lane, toMain: (message: unknown) => void, closed: () => void) {
    this.#world = world;
    this.#lane = lane;
    this.#toMain = toMain;
    this.#closed = closed;
  }

  on(_event: 'message', take: (message: never) => void): void {
    this.#take = take;
  }

  postMessage(message: unknown): void {
    this.#toMain(structuredClone(message));
  }

  receive(): { readonly message: unknown } | undefined {
    return this.#queue.length === 0 ? undefined : { message: this.#queue.shift() };
  }

  /** Called outside of the thread. */
  put(message: unknown): void {
    this.#queue.push(message);
    this.#world.after(
      0,
      () => {
        const next = this.receive();
        if (next) this.#take(next.message as never);
      },
      this.#lane,
    );
  }

  close(): void {
    this.#closed();
  }
}

/** A worker thread, which takes turns with all others. */
class Thread extends EventEmitter {
  readonly #world: World;
  readonly #port: Port;
  readonly #home: Lane;

  constructor(world: World, data: { readonly role: string }, entries: ThreadEntries) {
    super();
    this.#world = world;
    this.#home = world.lane!;
    const lane = new Lane(this.#home.life as Life);
    const tell = (event: string, value?: unknown) =>
      void world.after(messageMs, () => this.emit(event, value), this.#home);
    this.#port = new Port(
      world,
      lane,
      message => tell('message', message),
      () => tell('exit', 0),
    );
    const given = structuredClone(data);
    world.after(
      1,
      () => {
        try {
          entries[data.role]!(this.#port, given as never);
        } catch (error) {
          tell('error', error);
        }
      },
      lane,
    );
  }

  postMessage(message: unknown): void {
    const given = structuredClone(message);
    this.#world.after(messageMs, () => this.#port.put(given), null);
  }

  async terminate(): Promise<number> {
    return 0;
  }
}
