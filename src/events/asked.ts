import { type EventKind, eventKinds, eventTopics, hearsKind } from '../platform/event-topics.ts';
import { jsonTextOfBody, NotText } from '../platform/text-body.ts';
import type { EventRights } from '../store/index.ts';
import { requestMistakes } from '../words/programs.ts';
import type { Reason } from '../words/sentences.ts';

/**
 * Requests of a program to the box in JSON: events to read again, a command for a device. The
 * answer goes to `response_topic`, which has to be its own.
 */
interface ReplayAsked {
  readonly kind: EventKind;
  readonly after: number;
  readonly limit: number;
  readonly responseTopic: string;
}

export interface CommandAsked {
  readonly action: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** Topic for the answer; null if nobody waits for one. */
  readonly responseTopic: string | null;
  readonly timeoutMs: number;
}

const replayRowsMax = 500;
const timeoutSecondsMax = 300;
const usualTimeoutSeconds = 30;

/** Request of a program, or the mistake in it. */
type Read<T> = { readonly asked: T } | { readonly mistake: Reason };

const wrong = (mistake: Reason) => ({ mistake });
const { say } = requestMistakes;

export function readReplay(name: string, rights: EventRights, payload: Uint8Array): Read<ReplayAsked> {
  const found = objectIn(payload);
  if ('mistake' in found) return found;
  const { kind, after = 0, limit = replayRowsMax, response_topic: responseTopic } = found.asked;
  if (!isOwnTopic(name, responseTopic))
    return wrong(say('bad_response_topic', { topic: `${eventTopics.answers(name)}/` }));
  if (!eventKinds.some(one => one === kind)) return wrong(say('bad_event_kind', { kinds: eventKinds.join(', ') }));
  if (!hearsKind(rights.topics, kind as EventKind)) return wrong(say('kind_not_allowed', { kind: kind as EventKind }));
  if (!isWhole(after, 0, Number.MAX_SAFE_INTEGER)) return wrong(say('bad_after'));
  if (!isWhole(limit, 1, replayRowsMax)) return wrong(say('not_whole', { field: 'limit', min: 1, max: replayRowsMax }));
  return { asked: { kind: kind as EventKind, after, limit, responseTopic } };
}

export function readCommand(
  name: string,
  rights: EventRights,
  payload: Uint8Array,
  codesOfTheBox: ReadonlySet<number>,
): Read<CommandAsked> {
  const found = objectIn(payload);
  if ('mistake' in found) return found;
  const { action, data = {}, response_topic: responseTopic, timeout_s: seconds = usualTimeoutSeconds } = found.asked;
  if (responseTopic !== undefined && !isOwnTopic(name, responseTopic))
    return wrong(say('bad_response_topic', { topic: `${eventTopics.answers(name)}/` }));
  if (!isWhole(action, 0, 0xffff_ffff)) return wrong(say('bad_action'));
  if (codesOfTheBox.has(action)) return wrong(say('action_of_box', { action }));
  if (!rights.actions.includes(action)) return wrong(say('action_not_allowed', { action }));
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return wrong(say('data_no_object'));
  if (!isWhole(seconds, 1, timeoutSecondsMax))
    return wrong(say('not_whole', { field: 'timeout_s', min: 1, max: timeoutSecondsMax }));
  return {
    asked: {
      action,
      data: data as CommandAsked['data'],
      responseTopic: responseTopic ?? null,
      timeoutMs: seconds * 1000,
    },
  };
}

/** Of an answer that says no: where a program that made a mistake can still be told. */
export function responseTopicIn(name: string, payload: Uint8Array): string | null {
  const found = objectIn(payload);
  return 'asked' in found && isOwnTopic(name, found.asked.response_topic) ? found.asked.response_topic : null;
}

function objectIn(payload: Uint8Array): Read<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(jsonTextOfBody(payload));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { asked: value as Record<string, unknown> };
  } catch (error) {
    if (error instanceof NotText) return wrong(say('payload_no_text', { why: error.message }));
  }
  return wrong(say('payload_no_object'));
}

const isWhole = (value: unknown, min: number, max: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;

const isOwnTopic = (name: string, topic: unknown): topic is string =>
  typeof topic === 'string' &&
  topic.length <= 200 &&
  topic.startsWith(`${eventTopics.answers(name)}/`) &&
  !/[#+\0]/.test(topic);
