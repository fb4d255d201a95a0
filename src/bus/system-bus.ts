import { existsSync } from 'node:fs';
import type { Message, MessageBus } from 'dbus-next';
import type { Clock } from '../runtime/clock.ts';
import { within } from '../runtime/within.ts';
import { radioFaults } from '../words/own-network.ts';
import { type GivenReason, SaidError } from '../words/sentences.ts';

const { say } = radioFaults;

/** There is no D-Bus, or a service on it does not respond. The message says which. */
export class BusUnavailable extends SaidError {
  override readonly name = 'BusUnavailable';
}

/** A service refused a call. */
export class BusRefused extends Error {
  /** Code of the error, such as `org.bluez.Error.NotReady`. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'BusRefused';
    this.code = code;
  }
}

/** Why a service of the bus cannot be used; null: the error is another one, of the program. */
export function busFault(service: string, error: unknown): GivenReason | null {
  if (error instanceof BusUnavailable) return error.said;
  return error instanceof BusRefused
    ? say('service_refused', { service, type: error.code, error: error.message })
    : null;
}

type Properties = Readonly<Record<string, unknown>>;
/** Of one object: its interfaces, each with its properties. */
type BusObject = Readonly<Record<string, Properties>>;

interface BusCall {
  readonly service: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** Of the arguments; none when absent. */
  readonly signature?: string;
  readonly body?: readonly unknown[];
}

export interface BusSignal {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** Without variants around the values. */
  readonly body: readonly unknown[];
}

/**
 * Called for a method of one of our objects: returns the reply, or null if there is no such method.
 */
export type BusAnswer = { readonly signature: string; readonly body: readonly unknown[] } | null;

/** One connection to the system's D-Bus. */
export interface SystemBus extends Disposable {
  /** Resolves when the connection is lost. */
  readonly gone: Promise<void>;
  /**
   * Throws `BusRefused` with the service's error, `BusUnavailable` if there is no reply within
   * `ms`.
   */
  call(call: BusCall, ms?: number): Promise<readonly unknown[]>;
  /** The same; values keep their D-Bus types, so that they can be sent back. */
  callTyped(call: BusCall): Promise<readonly unknown[]>;
  property(service: string, path: string, on: string, name: string): Promise<unknown>;
  objects(service: string): Promise<ReadonlyMap<string, BusObject>>;
  /** Whether a program has this name on the bus now. */
  has(service: string): Promise<boolean>;
  /**
   * Signals of a service, until it is disposed. `rule` is a match rule without type and sender,
   * such as `interface='…'`.
   */
  signals(service: string, rule: string, heard: (signal: BusSignal) => void): Promise<Disposable>;
  /**
   * Serves calls on objects below `path`, until it is disposed. What `answer` throws goes back as
   * an error.
   */
  serve(path: string, answer: (call: BusSignal) => BusAnswer): Disposable;
  emit(path: string, on: string, member: string, signature: string, body: readonly unknown[]): void;
  /** A value with its D-Bus type. */
  readonly variant: (signature: string, value: unknown) => unknown;
}

const usualAddress = 'unix:path=/var/run/dbus/system_bus_socket';
const connectMs = 5000;
const answerMs = 25_000;
const driver = {
  service: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const;

/**
 * Throws `BusUnavailable`. The library is loaded here and not before: a box without radio does
 * without it.
 */
export async function connectSystemBus(clock: Clock): Promise<SystemBus> {
  const socket = /^unix:path=([^,;]+)$/.exec(process.env.DBUS_SYSTEM_BUS_ADDRESS ?? usualAddress)?.[1];
  if (socket !== undefined && !existsSync(socket)) throw new BusUnavailable(say('bus_missing', { socket }));
  const library = await import('dbus-next');
  const bus = library.systemBus();
  const lost = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const fail = (error: Error) => {
    lost.resolve();
    failed.reject(new BusUnavailable(say('bus_unreachable', { error: error.message })));
  };
  // Without this listener a missing socket would end the program.
  (bus as unknown as NodeJS.EventEmitter).on('error', fail);
  const connected = new Promise<void>(resolve => bus.once('connect', resolve));
  const silent = () => new BusUnavailable(say('bus_silent', { seconds: connectMs / 1000 }));
  try {
    await within(connectMs, clock, Promise.race([connected, failed.promise]), silent);
  } catch (error) {
    bus.disconnect();
    throw error;
  }
  streamOf(bus)?.once('close', () => fail(new Error('the connection was closed')));
  return new Connection(library, bus, clock, lost.promise, failed.promise);
}

/** The library has no event for a connection that the other end closed. */
const streamOf = (bus: MessageBus): NodeJS.EventEmitter | undefined =>
  (bus as unknown as { _connection: { stream?: NodeJS.EventEmitter } })._connection.stream;

class Connection implements SystemBus {
  readonly #library: typeof import('dbus-next');
  readonly #bus: MessageBus;
  readonly #clock: Clock;
  readonly #failed: Promise<never>;
  readonly gone: Promise<void>;

  constructor(
    library: typeof import('dbus-next'),
    bus: MessageBus,
    clock: Clock,
    gone: Promise<void>,
    failed: Promise<never>,
  ) {
    this.#library = library;
    this.#bus = bus;
    this.#clock = clock;
    this.gone = gone;
    this.#failed = failed;
  }

  async call(call: BusCall, ms?: number) {
    return (await this.callTyped(call, ms)).map(value => this.#plain(value));
  }

  async callTyped({ service, path, interface: on, member, signature = '', body = [] }: BusCall, ms = answerMs) {
    const { Message: NewMessage, DBusError } = this.#library;
    const message = new NewMessage({ destination: service, path, interface: on, member, signature, body: [...body] });
    const late = () => new BusUnavailable(say('service_silent', { service, member, seconds: ms / 1000 }));
    try {
      const answer = await within(ms, this.#clock, Promise.race([this.#bus.call(message), this.#failed]), late);
      return (answer?.body ?? []) as readonly unknown[];
    } catch (error) {
      if (!(error instanceof DBusError)) throw error;
      if (absent.has(error.type)) throw new BusUnavailable(say('service_absent', { service }));
      throw new BusRefused(error.type, error.text || error.type);
    }
  }

  async property(service: string, path: string, on: string, name: string) {
    const [value] = await this.call({
      service,
      path,
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [on, name],
    });
    return value;
  }

  async objects(service: string) {
    const [objects] = await this.call({
      service,
      path: '/',
      interface: 'org.freedesktop.DBus.ObjectManager',
      member: 'GetManagedObjects',
    });
    return new Map(Object.entries(objects as Record<string, BusObject>));
  }

  async has(service: string) {
    const [owned] = await this.call({ ...driver, member: 'NameHasOwner', signature: 's', body: [service] });
    return owned === true;
  }

  async signals(service: string, rule: string, heard: (signal: BusSignal) => void): Promise<Disposable> {
    const match = `type='signal',sender='${service}',${rule}`;
    const wanted = Object.fromEntries([...rule.matchAll(/\b(\w+)='([^']*)'/g)].map(([, key, value]) => [key, value]));
    const listen = (message: Message) => {
      if (message.type !== this.#library.MessageType.SIGNAL) return;
      if (wanted.interface !== undefined && message.interface !== wanted.interface) return;
      if (wanted.member !== undefined && message.member !== wanted.member) return;
      if (wanted.path !== undefined && message.path !== wanted.path) return;
      heard({
        path: message.path,
        interface: message.interface,
        member: message.member,
        body: message.body.map(value => this.#plain(value)),
      });
    };
    this.#bus.on('message', listen);
    await this.call({ ...driver, member: 'AddMatch', signature: 's', body: [match] });
    return {
      [Symbol.dispose]: () => {
        this.#bus.off('message', listen);
        this.call({ ...driver, member: 'RemoveMatch', signature: 's', body: [match] }).catch(() => {});
      },
    };
  }

  serve(path: string, answer: (call: BusSignal) => BusAnswer): Disposable {
    const { Message: NewMessage } = this.#library;
    const handle = (message: Message): boolean => {
      if (message.path !== path && !message.path.startsWith(`${path}/`)) return false;
      try {
        const body = message.body.map(value => this.#plain(value));
        const answered = answer({
          path: message.path,
          interface: message.interface,
          member: message.member,
          body,
        });
        if (!answered) return false;
        this.#bus.send(NewMessage.newMethodReturn(message, answered.signature, [...answered.body]));
      } catch (error) {
        const code = error instanceof BusRefused ? error.code : 'org.bluez.Error.Failed';
        this.#bus.send(NewMessage.newError(message, code, (error as Error).message));
      }
      return true;
    };
    this.#bus.addMethodHandler(handle);
    return { [Symbol.dispose]: () => this.#bus.removeMethodHandler(handle) };
  }

  emit(path: string, on: string, member: string, signature: string, body: readonly unknown[]): void {
    this.#bus.send(this.#library.Message.newSignal(path, on, member, signature, [...body]));
  }

  /** Bound, so that it can be handed on by itself. */
  readonly variant = (signature: string, value: unknown): unknown => new this.#library.Variant(signature, value);

  [Symbol.dispose](): void {
    this.#bus.disconnect();
  }

  #plain(value: unknown): unknown {
    if (value instanceof this.#library.Variant) return this.#plain(value.value);
    if (Array.isArray(value)) return value.map(one => this.#plain(one));
    if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#plain(one)]));
  }
}

const absent = new Set([
  'org.freedesktop.DBus.Error.ServiceUnknown',
  'org.freedesktop.DBus.Error.NameHasNoOwner',
  'org.freedesktop.DBus.Error.Spawn.ChildExited',
  'org.freedesktop.DBus.Error.Spawn.ServiceNotFound',
  'org.freedesktop.DBus.Error.Disconnected',
]);
