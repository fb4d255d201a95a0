import type { HttpBindings } from '@hono/node-server';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { stream as streamed } from 'hono/streaming';
import type { StreamingApi } from 'hono/utils/stream';
import type { ProgramCaller, StaffAccess } from '../accounts/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { waitOrWake } from '../runtime/wait-or-wake.ts';
import { described } from '../words/described.ts';
import { placesText, readKinds, readPlaces } from './event-places.ts';
import { EventStream, type Places } from './event-stream.ts';
import { type EventSource, mustHear } from './events.ts';
import { type AdminEnvironment, needs } from './guard.ts';
import { failures, refused } from './problem.ts';

/** Browsers and programs together. */
const streamsMax = 50;
/** Of one account, or one program. */
const streamsOfOneMax = 8;
const retryAfterSeconds = 30;
/** How often a stream asks whether its session is good still, and says that it is there. */
const stillEveryMs = 2000;
/** A reader that takes nothing for so long is cut off, and comes again where it was. */
const slowMs = 30_000;

interface StreamParts {
  readonly source: EventSource;
  readonly clock: Clock;
  readonly access: Pick<StaffAccess, 'isStill'>;
}

/** The open streams of events, bounded. */
export class EventStreams implements Disposable {
  readonly #parts: StreamParts;
  readonly #accounts: string[] = [];
  readonly #closing = new AbortController();

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get source(): EventSource {
    return this.#parts.source;
  }

  get access(): StreamParts['access'] {
    return this.#parts.access;
  }

  mustHaveRoom(account: string): void {
    if (this.#accounts.length >= streamsMax)
      throw refused(503, 'busy', 'too many streams of events are open: try again in half a minute', {
        retryAfterSeconds,
      });
    if (this.#accounts.filter(one => one === account).length >= streamsOfOneMax)
      throw refused(429, 'busy', `${account} has ${streamsOfOneMax} streams of events already: close one`, {
        retryAfterSeconds,
      });
  }

  /** Writes events until the reader leaves, is too slow, or may not hear them any more. */
  async run(out: StreamingApi, reader: Reader, begin: Begin): Promise<void> {
    const { source, clock } = this.#parts;
    const { signal } = this.#closing;
    const { account } = reader;
    const left = Promise.withResolvers<void>();
    const onClosing = () => left.resolve();
    out.onAbort(onClosing);
    signal.addEventListener('abort', onClosing);
    const stream = new EventStream(source, begin.places);
    const said = new Map(begin.places);
    const isOver = () => out.aborted || signal.aborted;
    const write = (text: string) => this.#inTime(out.write(text), reader);
    this.#accounts.push(account);
    const leave = await source.follow(stream);
    try {
      if (!(await write(begunText(source.epoch, begin)))) return;
      let askAt = clock.monotonic() + stillEveryMs;
      while (!isOver()) {
        if (clock.monotonic() >= askAt) {
          if (!(await reader.isStill()) || !(await write(': still here\n\n'))) return;
          askAt = clock.monotonic() + stillEveryMs;
        }
        const events = await stream.next();
        if (isOver()) return;
        const texts = events.map(({ kind, seq, payload }) => {
          said.set(kind, seq);
          return messageText(kind, placesText(source.epoch, said), payload);
        });
        if (texts.length > 0 && !(await write(texts.join('')))) return;
        if (texts.length === 0) await this.#until(askAt, stream.woken, left.promise);
      }
    } finally {
      leave();
      signal.removeEventListener('abort', onClosing);
      this.#accounts.splice(this.#accounts.indexOf(account), 1);
    }
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
  }

  /** False: it took too long, and the reader was cut off. */
  async #inTime(written: Promise<unknown>, reader: Reader): Promise<boolean> {
    const done = new AbortController();
    const late = this.#parts.clock.sleep(slowMs, done.signal).then(
      () => false,
      () => true,
    );
    const isInTime = await Promise.race([written.then(() => true), late]);
    done.abort();
    if (!isInTime) reader.cut();
    return isInTime;
  }

  async #until(at: number, ...others: Promise<void>[]): Promise<void> {
    const { clock } = this.#parts;
    await waitOrWake(clock, Math.max(0, at - clock.monotonic()), Promise.race(others));
  }
}

/** Reader of a stream. */
interface Reader {
  /** Whose session or token it is. */
  readonly account: string;
  isStill(): Promise<boolean>;
  /** Ends its connection. */
  cut(): void;
}

interface Begin {
  readonly places: Places;
  readonly isOther: boolean;
}

const messageText = (event: string, id: string, data: string): string =>
  `event: ${event}\nid: ${id}\ndata: ${data}\n\n`;

const begunText = (epoch: string, { places, isOther }: Begin): string =>
  messageText(
    'begin',
    placesText(epoch, places),
    JSON.stringify({ epoch, after: Object.fromEntries(places), is_other_store: isOther }),
  );

const streamRoute = createRoute({
  method: 'get',
  path: '/events/stream',
  middleware: needs('events'),
  summary: described(
    'Events as server-sent events: `begin`, then `checkins`, `access`, `logs`, those after an id first; whoever comes again goes on where it was',
    '以服务器推送事件发送：先是 `begin`，然后是 `checkins`、`access`、`logs`；给出 ID 时先补发其后的事件，重新连接后从原处继续',
  ),
  request: {
    query: z.object({
      kinds: z
        .string()
        .max(100)
        .default('')
        .describe(described('Such as `checkins,access`; absent: all', '例如 `checkins,access`；缺省：全部')),
      after: z
        .string()
        .max(200)
        .default('')
        .describe(
          described(
            'The id of the last message that is known, or its `seq` if one kind is asked for; absent: from now on',
            '已知的最后一条消息的 ID；只要一类时也可为其 `seq`；缺省：从现在起',
          ),
        ),
    }),
    headers: z.object({
      'last-event-id': z
        .string()
        .max(200)
        .optional()
        .describe(
          described(
            'As `after`, and before it: sent by browsers that come again',
            '同 `after`，且优先于它：浏览器重新连接时发送',
          ),
        ),
    }),
  },
  responses: {
    200: { description: described('The stream', '事件流'), content: { 'text/event-stream': { schema: z.string() } } },
    ...failures,
  },
});

export function eventStreamRoutes(app: OpenAPIHono<AdminEnvironment>, streams: EventStreams): void {
  app.openapi(streamRoute, async context => {
    const caller = context.get('caller');
    const asked = context.req.valid('query');
    const kinds = readKinds(asked.kinds);
    for (const kind of kinds) mustHear(hearsOf(caller), kind);
    // Programs of one person do not stand in each other's way.
    const account = caller.role === 'events' ? caller.actor : caller.account;
    streams.mustHaveRoom(account);
    const after = context.req.valid('header')['last-event-id'] ?? asked.after;
    const begin = await readPlaces(streams.source, kinds, after);
    const ofPeople = kinds.filter(kind => kind !== 'logs');
    context.set('subject', ofPeople.join(', '));
    context.set('isReadOften', true);
    // Value that the listener puts there; hono's types know it only of an app of its own
    // environment.
    const { incoming } = context.env as unknown as HttpBindings;
    context.header('content-type', 'text/event-stream');
    // Proxies must not gather what is to be heard at once.
    context.header('x-accel-buffering', 'no');
    const reader: Reader = {
      account,
      isStill: () => streams.access.isStill(incoming, caller),
      cut: () => incoming.destroy(),
    };
    // A failed read ends the stream, and the reader connects again.
    const onFailed = async () => {};
    return streamed(context, out => streams.run(out, reader, begin), onFailed) as never;
  });
}

const hearsOf = (caller: AdminEnvironment['Variables']['caller']): ProgramCaller['hears'] | null =>
  caller.role === 'events' ? caller.hears : null;
