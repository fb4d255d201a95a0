import type { HttpBindings } from '@hono/node-server';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import type { StaffAccess } from '../../accounts/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { DayReads, LevelStore, ReadPart } from '../../store/index.ts';
import { described } from '../../words/described.ts';
import { type AdminEnvironment, needs } from '../guard.ts';
import type { BoxAdmin } from '../port.ts';
import { refused } from '../problem.ts';
import type { BoxStatus } from '../status.ts';

/**
 * Everything that is said by itself; `checkin` for each that comes in, `status` when it changes and
 * every 10 s.
 */
type LiveEvent = { readonly kind: 'status' | 'checkin'; readonly data: unknown };

const lookMs = 1000;
const statusAtLeastEveryMs = 10_000;
/** Of each second: a burst is told by the next look at the list, not by a thousand lines. */
const checkinsMax = 20;
/** A browser that reads slowly is cut off, and comes again by itself. */
const waitingMax = 200;
const streamsMax = 50;
/** Of one account: the tabs that somebody looks at, on a few devices. */
const streamsOfOneMax = 8;
const retryAfterSeconds = 30;

/** Listener, with the end of its time. */
interface Hearer {
  /** Whose session or token it is. */
  readonly account: string;
  hear(event: LiveEvent): void;
  /** Whether the session, the role and the token are what they were when it began. */
  isStill(): Promise<boolean>;
  end(): void;
}

export interface LiveParts {
  readonly admin: Pick<BoxAdmin, 'status'>;
  readonly store: ReadPart<DayReads> & LevelStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * One look at the store a second for everybody who listens, and none while nobody does: pages in
 * place of pushes from every part, so that nothing on the way of a record knows of them.
 */
export class LiveFeed implements AsyncDisposable {
  readonly #parts: LiveParts;
  readonly #hearers = new Set<Hearer>();
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;
  #lastStatus = '';
  #lastStatusAt = 0;
  #lastCheckin = 0;

  constructor(parts: LiveParts) {
    this.#parts = parts;
  }

  /**
   * Whether somebody more may listen: all streams together are bounded, and those of one account.
   */
  roomFor(account: string): 'yes' | 'full' | 'full_for_account' {
    if (this.#hearers.size >= streamsMax) return 'full';
    const own = [...this.#hearers].filter(one => one.account === account).length;
    return own >= streamsOfOneMax ? 'full_for_account' : 'yes';
  }

  hear(hearer: Hearer): () => void {
    this.#hearers.add(hearer);
    this.#lastStatus = '';
    this.#running ??= this.#run();
    return () => void this.#hearers.delete(hearer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#hearers.clear();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, store, log } = this.#parts;
    const { signal } = this.#closing;
    this.#lastCheckin = (await store.read.latestCheckins({ limit: 1 }))[0]?.id ?? 0;
    while (this.#hearers.size > 0 && !signal.aborted) {
      try {
        await this.#dismiss();
        await this.#look();
      } catch (error) {
        log.warn({ error: (error as Error).message }, 'changes_not_sent_to_pages');
      }
      await clock.sleep(lookMs, signal).catch(() => {});
    }
    this.#running = null;
  }

  async #look(): Promise<void> {
    const { admin, store, clock } = this.#parts;
    await store.level();
    const status = statusEvent(await admin.status.report());
    const text = JSON.stringify(status);
    const now = clock.monotonic();
    if (text !== this.#lastStatus || now - this.#lastStatusAt > statusAtLeastEveryMs) {
      this.#lastStatus = text;
      this.#lastStatusAt = now;
      this.#say({ kind: 'status', data: status });
    }
    const found = await store.read.latestCheckins({ limit: checkinsMax, after: this.#lastCheckin });
    for (const one of found.reverse()) this.#say({ kind: 'checkin', data: one });
    this.#lastCheckin = found.at(-1)?.id ?? this.#lastCheckin;
  }

  /**
   * Ends the streams of people who have signed out, lost the account or have another role now; the
   * browser connects again, and has to identify itself.
   */
  async #dismiss(): Promise<void> {
    for (const hearer of [...this.#hearers]) {
      if (await hearer.isStill()) continue;
      this.#hearers.delete(hearer);
      hearer.end();
    }
  }

  #say(event: LiveEvent): void {
    for (const hearer of this.#hearers) hearer.hear(event);
  }
}

/** The event `status`. */
export type LiveStatus = Pick<BoxStatus, 'standing' | 'line' | 'outbox' | 'mirror' | 'devices' | 'disk' | 'database'>;

const statusEvent = ({ standing, line, outbox, mirror, devices, disk, database }: BoxStatus): LiveStatus => ({
  standing,
  line,
  outbox,
  mirror,
  devices,
  disk,
  database,
});

const liveRoute = createRoute({
  method: 'get',
  path: '/live',
  middleware: needs('viewer'),
  summary: described(
    'What happens, as server-sent events: `status`, `checkin`',
    '实时事件（server-sent events）：`status`、`checkin`',
  ),
  responses: {
    200: { description: described('The stream', '事件流'), content: { 'text/event-stream': { schema: z.string() } } },
  },
});

export function liveRoutes(
  app: OpenAPIHono<AdminEnvironment>,
  feed: LiveFeed,
  access: Pick<StaffAccess, 'isStill'>,
): void {
  app.openapi(liveRoute, context => {
    const caller = context.get('caller');
    const room = feed.roomFor(caller.account);
    if (room === 'full')
      throw refused(503, 'busy', 'too many pages are open already: try again in half a minute', { retryAfterSeconds });
    if (room !== 'yes') {
      const why = `${caller.account} listens ${streamsOfOneMax} times already: close a page`;
      throw refused(429, 'busy', why, { retryAfterSeconds });
    }
    // Value that the listener puts there; hono's types know it only of an app of its own
    // environment.
    const { incoming } = context.env as unknown as HttpBindings;
    // hono types the stream's answer as one of any body; the route's is text/event-stream.
    return streamSSE(context, async stream => {
      const waiting: LiveEvent[] = [];
      let wake = Promise.withResolvers<void>();
      let hasEnded = false;
      const leave = feed.hear({
        account: caller.account,
        hear(event) {
          waiting.push(event);
          wake.resolve();
        },
        isStill: () => access.isStill(incoming, caller),
        end() {
          hasEnded = true;
          wake.resolve();
        },
      });
      stream.onAbort(() => {
        leave();
        wake.resolve();
      });
      while (!stream.aborted && !hasEnded && waiting.length < waitingMax) {
        for (const { kind, data } of waiting.splice(0))
          await stream.writeSSE({ event: kind, data: JSON.stringify(data) });
        await wake.promise;
        wake = Promise.withResolvers();
      }
      leave();
    }) as never;
  });
}
