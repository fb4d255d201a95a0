import type { Clock } from '../runtime/clock.ts';
import type { LevelStore } from '../store/index.ts';
import { programRefusals, requestMistakes } from '../words/programs.ts';
import type { Reason } from '../words/sentences.ts';
import { readReplay, responseTopicIn } from './asked.ts';
import type { Asked } from './broker.ts';
import { type EventStore, type RecordEvent, readEvents } from './record-events.ts';

/** A replay is followed by a rest of so many times what it took. */
const restFactor = 2;

interface ReplayOptions {
  readonly clock: Clock;
  readonly store: EventStore & LevelStore & { readonly epoch: string };
  readonly onRefused: (program: string, why: Reason) => void;
}

/**
 * Reads events again for a program: those after a `seq`, each to its response topic as it was said
 * before, and then what says where the page ended. One at a time of each program, with a rest
 * behind it, so that nobody reads the store for itself alone.
 */
export class Replays {
  readonly #options: ReplayOptions;
  readonly #running = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, number>();

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  take(asked: Asked): Promise<void> {
    const { name } = asked.program;
    const waiting = this.#waiting.get(name) ?? 0;
    if (waiting >= waitingMax)
      return this.#refuse(asked, requestMistakes.say('too_many_requests', { count: waitingMax }));
    this.#waiting.set(name, waiting + 1);
    const run = (this.#running.get(name) ?? Promise.resolve()).then(() => this.#read(asked));
    this.#running.set(name, run);
    return run.finally(() => {
      const left = this.#waiting.get(name)! - 1;
      if (left > 0) return void this.#waiting.set(name, left);
      this.#waiting.delete(name);
      this.#running.delete(name);
    });
  }

  async #read(asked: Asked): Promise<void> {
    const { store, clock } = this.#options;
    const wanted = readReplay(asked.program.name, asked.program.rights, asked.payload);
    if ('mistake' in wanted) return this.#refuse(asked, wanted.mistake);
    const { kind, after, limit, responseTopic } = wanted.asked;
    const begun = clock.monotonic();
    await store.level();
    const read = await readEvents(store, { kind, after, limit });
    const events = pageOf(read);
    for (const { payload } of events) await asked.answer(responseTopic, payload);
    const end = {
      end: true,
      kind,
      after,
      through: events.at(-1)?.seq ?? after,
      count: events.length,
      more: events.length < read.length || read.length === limit,
      epoch: store.epoch,
    };
    await asked.answer(responseTopic, JSON.stringify(end));
    await clock.sleep((clock.monotonic() - begun) * restFactor);
  }

  async #refuse(asked: Asked, { reason, code, params }: Reason): Promise<void> {
    const { name } = asked.program;
    this.#options.onRefused(name, programRefusals.say('replay_refused', { ...params, mistake: code }));
    const topic = responseTopicIn(name, asked.payload);
    if (topic !== null) await asked.answer(topic, JSON.stringify({ end: true, error: reason }));
  }
}

/**
 * As many as wait for a program that reads slowly (outbox.ts), with room for what is said
 * meanwhile: long logs make a short page.
 */
function pageOf(events: readonly RecordEvent[]): readonly RecordEvent[] {
  let bytes = 0;
  const end = events.findIndex(({ payload }) => {
    bytes += Buffer.byteLength(payload);
    return bytes > pageBytesMax;
  });
  return end < 0 ? events : events.slice(0, Math.max(1, end));
}

const pageBytesMax = 96 << 10;
const waitingMax = 10;
