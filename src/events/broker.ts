import type { Duplex } from 'node:stream';
import { Aedes, type Client, type PublishPacket } from 'aedes';
import { type EventKind, eventTopics } from '../platform/event-topics.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import type { AdminToken } from '../store/index.ts';
import { programRefusals } from '../words/programs.ts';
import type { Reason } from '../words/sentences.ts';
import { hasNoSession, prepareConnect, programIn, refusedWith } from './connect.ts';
import type { Follower } from './feed.ts';
import { Interests } from './interests.ts';
import { Outbox } from './outbox.ts';
import {
  mayHear,
  messagesPerSecond,
  type Program,
  type ProgramReport,
  Programs,
  subscriptionsMax,
  whyNotSubscribed,
} from './programs.ts';
import type { RecordEvent } from './record-events.ts';
import { BoundedSessions } from './sessions.ts';

/** Message that a program has published for the box. */
export interface Asked {
  readonly program: Program;
  readonly topic: string;
  readonly payload: Buffer;
  /** To this program alone. */
  answer(topic: string, payload: string): Promise<void>;
}

interface BrokerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly programOf: (token: string) => Promise<AdminToken | null>;
  readonly onAsked: (asked: Asked) => void;
  /** Called when the kinds that somebody listens to have changed. */
  readonly onWanted: () => void;
  /** Resolves when all that is wanted is passed on from then on. */
  readonly begun: () => Promise<void>;
}

/** Of one connection. */
interface Connection {
  readonly address: string;
  readonly rate: RateWindow;
  readonly loggedIn: () => void;
  readonly ready: PromiseWithResolvers<void>;
  program: Program | null;
}

const waitingBytesMax = 256 << 10;
const waitingPacketsMax = 1000;
const connectTimeoutMs = 10_000;
const inFlightMax = 100;
/** Sessions of one program that outlive their connections, and for how long without one. */
const keptSessionsOfOneMax = 5;
const keptSessionMs = 24 * 3600_000;

/**
 * The broker for the site's own programs (docs/events.md): aedes as it is, behind a login by token.
 * Devices are not on it, and no program publishes where a device or the box does.
 */
export class EventBroker implements Follower, AsyncDisposable {
  readonly #options: BrokerOptions;
  readonly #programs: Programs;
  readonly #sessions: BoundedSessions;
  readonly #connections = new Map<Client, Connection>();
  #aedes!: Aedes;
  readonly #interests: Interests;
  /** Whether some subscription asks for more than QoS 0: only then events wait for those away. */
  #isQosWanted = false;

  private constructor(options: BrokerOptions) {
    this.#options = options;
    this.#programs = new Programs(options.clock, options.log, options.programOf);
    this.#interests = new Interests(options.onWanted);
    this.#sessions = new BoundedSessions(id => this.#programs.dropped(programIn(id), 1));
  }

  static async open(options: BrokerOptions): Promise<EventBroker> {
    const broker = new EventBroker(options);
    broker.#aedes = await broker.#start();
    return broker;
  }

  #start(): Promise<Aedes> {
    return Aedes.createBroker({
      persistence: this.#sessions.persistence,
      concurrency: 1000,
      connectTimeout: connectTimeoutMs,
      maxInflightInbound: inFlightMax,
      maxTopicLevels: 12,
      maxClientsIdLength: 200,
      preConnect: (client, packet, done) => {
        prepareConnect(packet);
        done(null, this.#connections.has(client));
      },
      authenticate: (client, name, password, done) => {
        const from = this.#connections.get(client)?.address ?? '';
        if (hasNoSession(client, this.#programs, name ?? '', from)) return done(refusedWith(2), false);
        this.#login(client, name ?? '', password?.toString('utf8') ?? '').then(
          isIn => done(isIn ? null : refusedWith(5), isIn),
          error => {
            this.#options.log.error({ error: String(error) }, 'program_login_failed');
            done(refusedWith(3), false);
          },
        );
      },
      authorizeSubscribe: (client, subscription, done) =>
        void this.#subscribe(client, subscription.topic).then(isIn => done(null, isIn ? subscription : null)),
      authorizePublish: (client, packet, done) => done(this.#whyNotPublished(client, packet)),
      authorizeForward: (client, packet) => {
        const program = this.#connections.get(client)?.program;
        return program && mayHear(program, packet.topic) ? packet : null;
      },
    }).then(aedes => {
      aedes.on('clientReady', client => this.#onReady(client));
      aedes.on('clientDisconnect', client => this.#onGone(client));
      aedes.on('subscribe', subscriptions => {
        // 128: refused.
        this.#isQosWanted ||= subscriptions.some(({ qos }) => qos > 0 && qos < 3);
      });
      aedes.on('unsubscribe', (filters, client) => this.#onUnsubscribed(client, filters));
      aedes.on('clientError', (client, error) => this.#onBroken(client, error));
      aedes.on('connectionError', client => this.#connections.delete(client));
      aedes.on('publish', (packet, client) => client && this.#onPublished(client, packet as PublishPacket));
      return aedes;
    });
  }

  /** A connection after its TLS handshake. */
  handle(stream: Duplex, { address, loggedIn }: { readonly address: string; readonly loggedIn: () => void }): void {
    const rate = new RateWindow(messagesPerSecond, 1000);
    const connection: Connection = { address, rate, loggedIn, ready: Promise.withResolvers(), program: null };
    let client: Client | null = null;
    const outbox = new Outbox(stream, {
      bytesMax: waitingBytesMax,
      packetsMax: waitingPacketsMax,
      onDropped: count => connection.program && this.#programs.dropped(connection.program.name, count),
      onLevel: () => client && this.#sayMissed(client),
    });
    client = this.#aedes.handle(outbox) as Client;
    this.#connections.set(client, connection);
  }

  get kinds(): ReadonlySet<EventKind> {
    return this.#interests.kinds;
  }

  /** Publishes them in order; resolves when the broker has passed them on. */
  async hear(events: readonly RecordEvent[]): Promise<void> {
    await Promise.all(events.map(({ topic, payload }) => this.publish(topic, payload)));
  }

  missed(kind: EventKind): void {
    for (const client of this.#connections.keys()) if (this.#interests.wants(client.id, kind)) this.#sayMissed(client);
  }

  /** `retain`: who subscribes later hears it too; an empty payload ends that. */
  publish(topic: string, payload: string, { retain = false } = {}): Promise<void> {
    const qos = this.#isQosWanted ? 1 : 0;
    const packet = { cmd: 'publish', topic, payload: Buffer.from(payload), qos, retain, dup: false } as const;
    return new Promise(resolve => this.#aedes.publish(packet, () => resolve()));
  }

  noteRefused(program: string, why: Reason): void {
    this.#programs.refused(program, '', why);
  }

  report(): ProgramReport[] {
    return this.#programs.report();
  }

  /** Ends connections of tokens that were removed, have ended or have other rights now. */
  review(tokens: readonly AdminToken[]): void {
    const valid = new Map(tokens.map(token => [token.id, token]));
    const now = this.#options.clock.now();
    for (const [client, { program }] of this.#connections) {
      if (!program) continue;
      const token = valid.get(program.tokenId);
      const isStill = token?.events && token.endsAt > now;
      if (!isStill || JSON.stringify(token.events) !== JSON.stringify(program.rights)) client.close();
    }
  }

  /** Ends sessions that nobody came back to. */
  async sweep(): Promise<void> {
    const until = this.#options.clock.monotonic() - keptSessionMs;
    for (const id of this.#interests.endOlder(until)) await this.#sessions.end(id);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise(resolve => this.#aedes.close(() => resolve()));
  }

  async #login(client: Client, name: string, password: string): Promise<boolean> {
    const connection = this.#connections.get(client);
    if (!connection) return false;
    const found = await this.#programs.login(name, password, connection.address);
    if (!('rights' in found)) return false;
    const others = this.#interests.kept().filter(id => programIn(id) === name && id !== client.id).length;
    if (!client.clean && others >= keptSessionsOfOneMax) {
      this.#programs.refused(
        name,
        connection.address,
        programRefusals.say('too_many_sessions', { count: keptSessionsOfOneMax }),
      );
      return false;
    }
    connection.program = found;
    return true;
  }

  /** Resolves when the SUBACK can go out: what comes after it is heard. */
  async #subscribe(client: Client, filter: string): Promise<boolean> {
    // A SUBSCRIBE can overtake the end of the CONNECT inside the broker; of a session that goes on,
    // the broker asks again for what it had before that end.
    if (!this.#interests.has(client.id)) await this.#connections.get(client)?.ready.promise;
    if (!this.#maySubscribe(client, filter)) return false;
    this.#interests.subscribed(client.id, filter);
    await this.#options.begun();
    return true;
  }

  #maySubscribe(client: Client, filter: string): boolean {
    const connection = this.#connections.get(client);
    const program = connection?.program;
    if (!connection || !program) return false;
    const why = whyNotSubscribed(program, filter, this.#interests.hasRoom(client.id, filter, subscriptionsMax));
    if (why === null) return true;
    this.#programs.refused(program.name, connection.address, why);
    return false;
  }

  #whyNotPublished(client: Client | null, packet: PublishPacket): Error | null {
    const connection = client && this.#connections.get(client);
    const program = connection?.program;
    if (!connection || !program) return new Error('not logged in');
    const isDropped = this.#programs.drops(program, packet, connection.address);
    const isTooFast = !connection.rate.take(this.#options.clock.monotonic());
    const why = this.#programs.whyNotPublished(program, packet, { isDropped, isTooFast });
    if (why === null) return null;
    this.#programs.refused(program.name, connection.address, why);
    return new NotPublished(why.reason);
  }

  #onReady(client: Client): void {
    const connection = this.#connections.get(client);
    if (!connection?.program) return;
    connection.loggedIn();
    this.#programs.came(connection.program);
    this.#interests.came(client.id, !client.clean);
    connection.ready.resolve();
  }

  #onGone(client: Client): void {
    const connection = this.#connections.get(client);
    this.#connections.delete(client);
    if (!connection?.program) return;
    this.#programs.left(connection.program);
    this.#interests.left(client.id, this.#options.clock.monotonic());
  }

  #onBroken(client: Client, error: Error): void {
    const connection = this.#connections.get(client);
    if (!connection?.program || error instanceof NotPublished) return;
    const { name } = connection.program;
    this.#programs.refused(name, connection.address, programRefusals.say('connection_ended', { error: error.message }));
  }

  #onUnsubscribed(client: Client, filters: readonly string[]): void {
    // A connection that ends unsubscribes from everything, also where its session goes on.
    if (client.closed || !this.#connections.has(client)) return;
    for (const filter of filters) this.#interests.unsubscribed(client.id, filter);
  }

  #onPublished(client: Client, packet: PublishPacket): void {
    const program = this.#connections.get(client)?.program;
    if (!program || packet.topic.startsWith(eventTopics.program(program.name))) return;
    const answer = (to: string, text: string) => sendTo(client, to, text);
    this.#options.onAsked({ program, topic: packet.topic, payload: Buffer.from(packet.payload), answer });
  }

  #sayMissed(client: Client): void {
    void sendTo(client, eventTopics.missed, JSON.stringify({ at: this.#options.clock.now() }));
  }
}

/** Noted already; the broker ends the connection for it. */
class NotPublished extends Error {}

/** To one program alone; resolves when it was written. */
const sendTo = (client: Client, topic: string, text: string): Promise<void> => {
  const packet = { cmd: 'publish', topic, payload: Buffer.from(text), qos: 0, retain: false, dup: false } as const;
  return new Promise(resolve => client.publish(packet, () => resolve()));
};
