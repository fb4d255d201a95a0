import { coversAny, eventTopics, homeAssistantStatus, matchesAny } from '../platform/event-topics.ts';
import { addressBlock } from '../runtime/address-block.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import { RateWindows } from '../runtime/rate-windows.ts';
import type { AdminToken, EventRights } from '../store/index.ts';
import { programRefusals } from '../words/programs.ts';
import type { Reason } from '../words/sentences.ts';

/** A program of the site that is logged in. */
export interface Program {
  readonly tokenId: number;
  readonly name: string;
  readonly rights: EventRights;
}

/** Report of a program, for the page Integrations and `gatehouse events programs`. */
export interface ProgramReport {
  readonly name: string;
  readonly connections: number;
  /** Events of QoS 0 that it was too slow for, since the start. */
  readonly dropped: number;
  readonly refusals: readonly ProgramRefusal[];
}

export interface ProgramRefusal extends Reason {
  readonly at: UnixMs;
  readonly address: string;
}

interface Notes {
  /** Topics on which it has a retained message. */
  readonly retained: Set<string>;
  connections: number;
  dropped: number;
  refusals: ProgramRefusal[];
}

const refusalsMax = 10;
/** Names that have no token are made up by whoever calls. */
const namesMax = 200;
const linesPerMinute = 30;
export const messagesPerSecond = 200;
const retainedMax = 50;
/** Of one session. */
export const subscriptionsMax = 100;
const shownCharactersMax = 120;
const connectionsOfOneMax = 32;

/**
 * Programs that may log in, with the topics that each may hear and publish. Keeps the reasons for
 * refusals, bounded.
 */
export class Programs {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #programOf: (token: string) => Promise<AdminToken | null>;
  readonly #notes = new Map<string, Notes>();
  /** Lines of the log about refused logins: one a minute for a name at an address, and in all. */
  readonly #lines = new RateWindows<string>(1, 60_000, 1000);
  readonly #allLines = new RateWindow(linesPerMinute, 60_000);

  constructor(clock: Clock, log: Log, programOf: (token: string) => Promise<AdminToken | null>) {
    this.#clock = clock;
    this.#log = log;
    this.#programOf = programOf;
  }

  /**
   * The user name is the program's name, the password its token. Wrong logins slow down nobody: a
   * token has 256 random bits, which nobody guesses, and on loopback all programs have one address.
   * Returns why not, in words. Rejects where the token cannot be looked up.
   */
  async login(name: string, password: string, address: string): Promise<Program | Reason> {
    const found = await this.#judge(name, password);
    if ('rights' in found) return found;
    this.refused(name, address, found);
    const now = this.#clock.monotonic();
    if (this.#lines.take(`${addressBlock(address)} ${name.slice(0, 64)}`, now) && this.#allLines.take(now))
      this.#log.warn({ program: name.slice(0, 64), address, why: found.reason }, 'program_login_refused');
    return found;
  }

  async #judge(name: string, password: string): Promise<Program | Reason> {
    if (password === '') return programRefusals.say('no_token');
    const token = await this.#programOf(password);
    if (!token?.events) return programRefusals.say('unknown_token');
    if (token.name !== name) return programRefusals.say('token_of_other', { program: token.name });
    if (this.#of(name).connections >= connectionsOfOneMax)
      return programRefusals.say('program_connections_max', { count: connectionsOfOneMax });
    return { tokenId: token.id, name, rights: token.events };
  }

  came({ name }: Program): void {
    this.#of(name).connections++;
  }

  left({ name }: Program): void {
    this.#of(name).connections--;
  }

  dropped(name: string, count: number): void {
    this.#of(name).dropped += count;
  }

  /** Reason why not; null if it may. */
  whyNotPublished(
    program: Program,
    {
      topic,
      retain,
      payload,
    }: { readonly topic: string; readonly retain: boolean; readonly payload: Uint8Array | string },
    { isDropped, isTooFast }: { readonly isDropped: boolean; readonly isTooFast: boolean },
  ): Reason | null {
    if (!isDropped && !mayPublish(program, topic))
      return programRefusals.say('topic_not_allowed', { topic: topic.slice(0, shownCharactersMax) });
    if (isTooFast) return programRefusals.say('published_too_fast', { max: messagesPerSecond });
    return retain && !this.#mayRetain(program, topic, payload)
      ? programRefusals.say('too_many_retained', { max: retainedMax })
      : null;
  }

  /** False: it has as many retained messages as it may. An empty payload removes one. */
  #mayRetain({ name }: Program, topic: string, payload: Uint8Array | string): boolean {
    const { retained } = this.#of(name);
    if (payload.length === 0) retained.delete(topic);
    else if (retained.size >= retainedMax && !retained.has(topic)) return false;
    else retained.add(topic);
    return true;
  }

  /**
   * Drops and notes the state of its own connection, which a mosquitto bridge publishes by itself:
   * no filter of a program matches it, and it is not retained. False: it is another message.
   */
  drops({ name }: Program, packet: { readonly topic: string; retain: boolean }, address: string): boolean {
    if (!stateOfBridge.test(packet.topic)) return false;
    packet.retain = false;
    this.refused(name, address, programRefusals.say('bridge_state'));
    return true;
  }

  refused(name: string, address: string, why: Reason): void {
    const notes = this.#of(name.slice(0, 64));
    notes.refusals = [{ at: this.#clock.now(), address, ...why }, ...notes.refusals].slice(0, refusalsMax);
  }

  report(): ProgramReport[] {
    return [...this.#notes].map(([name, { connections, dropped, refusals }]) => ({
      ...{ name, connections, dropped, refusals },
    }));
  }

  #of(name: string): Notes {
    const known = this.#notes.get(name);
    if (known) return known;
    if (this.#notes.size >= namesMax)
      for (const [other, { connections, retained }] of this.#notes)
        if (connections === 0 && retained.size === 0) {
          this.#notes.delete(other);
          break;
        }
    const fresh = { connections: 0, dropped: 0, refusals: [], retained: new Set<string>() };
    this.#notes.set(name, fresh);
    return fresh;
  }
}

const stateOfBridge = /^\$SYS\/broker\/connection\/[^/]{1,128}\/state$/;

/**
 * Topics that every program may read beside those of its token: answers to it, and its own
 * messages.
 */
const own = (name: string): readonly string[] => [
  `${eventTopics.answers(name)}/#`,
  `${eventTopics.program(name)}/#`,
  eventTopics.missed,
];

const filterCharactersMax = 200;

/** Reason why not; null if it may. */
export function whyNotSubscribed({ name, rights }: Program, filter: string, hasRoom: boolean): Reason | null {
  const shown = filter.slice(0, shownCharactersMax);
  if (!hasRoom) return programRefusals.say('too_many_subscriptions', { filter: shown, count: subscriptionsMax });
  const isCovered = coversAny(rights.topics, filter) || coversAny(own(name), filter);
  if (isCovered && filter.length <= filterCharactersMax) return null;
  return programRefusals.say('filter_not_allowed', { filter: shown, allowed: rights.topics.join(', ') });
}

/** Whether a topic is for the box alone. */
const isAsked = (topic: string): boolean => topic === eventTopics.replay || topic.startsWith(eventTopics.command(''));

export const mayHear = ({ name, rights }: Program, topic: string): boolean =>
  !isAsked(topic) && (matchesAny(rights.topics, topic) || matchesAny(own(name), topic));

/** Where a program may publish; nothing else is like a device, or like the box. */
function mayPublish(program: Program, topic: string): boolean {
  if (topic === eventTopics.replay || topic.startsWith(`${eventTopics.program(program.name)}/`)) return true;
  if (topic === homeAssistantStatus) return matchesAny(program.rights.topics, topic);
  return topic.startsWith(eventTopics.command('')) && program.rights.actions.length > 0;
}
