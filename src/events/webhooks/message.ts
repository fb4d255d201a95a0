import type { EventKind } from '../../platform/event-topics.ts';
import type { RecordEvent } from '../record-events.ts';

/** One call of a webhook: events of one kind that follow each other. */
export interface WebhookMessage {
  /**
   * The same for the same events, in each try and after a restart: a receiver that has it already
   * may pass it over.
   */
  readonly id: string;
  readonly kind: EventKind;
  readonly after: number;
  readonly through: number;
  readonly count: number;
  readonly body: string;
}

export const eventsMax = 50;
/** Limit that Standard Webhooks recommends; a single event may be larger. */
const bodyBytesMax = 20_000;
/** For what stands around the events. */
const frameBytes = 300;

/** As many of the events as fit, from the first on. */
export function messageOf(epoch: string, after: number, events: readonly RecordEvent[], at: number): WebhookMessage {
  const { kind } = events[0]!;
  const fitting: RecordEvent[] = [];
  let bytes = frameBytes;
  for (const event of events.slice(0, eventsMax)) {
    bytes += Buffer.byteLength(event.payload) + 1;
    if (fitting.length > 0 && bytes > bodyBytesMax) break;
    fitting.push(event);
  }
  const through = fitting.at(-1)!.seq;
  const data = `{"kind":"${kind}","epoch":"${epoch}","after":${after},"through":${through},"events":[${fitting.map(({ payload }) => payload).join(',')}]}`;
  return {
    ...{ id: `msg_${epoch.slice(0, 12)}_${kind}_${after}_${through}`, kind, after, through, count: fitting.length },
    body: `{"type":"events.${kind}","timestamp":"${new Date(at).toISOString()}","data":${data}}`,
  };
}

/** A call without events, to try whether the receiver takes it. */
export const testMessage = (epoch: string, name: string, at: number) => ({
  id: `msg_${epoch.slice(0, 12)}_test_${at}`,
  body: JSON.stringify({ type: 'events.test', timestamp: new Date(at).toISOString(), data: { webhook: name } }),
});
