import { type EventKind, eventKinds, eventTopics, hearsKind } from '../platform/event-topics.ts';
import { jsonTextOfBody, NotText } from '../platform/text-body.ts';
import type { EventRights } from '../store/index.ts';

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

/** A sentence says what is wrong with it. */
type Read<T> = T | string;

export function readReplay(name: string, rights: EventRights, payload: Uint8Array): Read<ReplayAsked> {
  const asked = objectIn(payload);
  if (typeof asked === 'string') return asked;
  const { kind, after = 0, limit = replayRowsMax, response_topic: responseTopic } = asked;
  if (!isOwnTopic(name, responseTopic)) return `response_topic: write a topic below ${eventTopics.answers(name)}/`;
  if (!eventKinds.some(one => one === kind)) return `kind: write ${eventKinds.join(', ')}`;
  if (!hearsKind(rights.topics, kind as EventKind)) return `kind: the token does not allow ${kind}/#`;
  if (!isWhole(after, 0, Number.MAX_SAFE_INTEGER)) return 'after: write the seq of the last event, or 0';
  if (!isWhole(limit, 1, replayRowsMax)) return `limit: write a whole number from 1 to ${replayRowsMax}`;
  return { kind: kind as EventKind, after, limit, responseTopic };
}

export function readCommand(
  name: string,
  rights: EventRights,
  payload: Uint8Array,
  codesOfTheBox: ReadonlySet<number>,
): Read<CommandAsked> {
  const asked = objectIn(payload);
  if (typeof asked === 'string') return asked;
  const { action, data = {}, response_topic: responseTopic, timeout_s: seconds = usualTimeoutSeconds } = asked;
  if (responseTopic !== undefined && !isOwnTopic(name, responseTopic))
    return `response_topic: write a topic below ${eventTopics.answers(name)}/`;
  if (!isWhole(action, 0, 0xffff_ffff)) return 'action: write the action code that the device knows';
  if (codesOfTheBox.has(action)) return `action: ${action} is answered or sent by the box itself`;
  if (!rights.actions.includes(action)) return `action: the token does not allow ${action}`;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return 'data: write an object';
  if (!isWhole(seconds, 1, timeoutSecondsMax)) return `timeout_s: write a whole number from 1 to ${timeoutSecondsMax}`;
  return {
    action,
    data: data as CommandAsked['data'],
    responseTopic: responseTopic ?? null,
    timeoutMs: seconds * 1000,
  };
}

/** Of an answer that says no: where a program that made a mistake can still be told. */
export function responseTopicIn(name: string, payload: Uint8Array): string | null {
  const asked = objectIn(payload);
  return typeof asked === 'object' && isOwnTopic(name, asked.response_topic) ? asked.response_topic : null;
}

function objectIn(payload: Uint8Array): Read<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(jsonTextOfBody(payload));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    if (error instanceof NotText) return error.message;
  }
  return 'the payload is no JSON object';
}

const isWhole = (value: unknown, min: number, max: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;

const isOwnTopic = (name: string, topic: unknown): topic is string =>
  typeof topic === 'string' &&
  topic.length <= 200 &&
  topic.startsWith(`${eventTopics.answers(name)}/`) &&
  !/[#+\0]/.test(topic);
