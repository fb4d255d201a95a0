import { serviceLimits } from '../../../../src/platform/services.ts';
import type { Clock } from '../../../../src/runtime/clock.ts';
import { unknown, wrong } from './refused.ts';

export interface SimTemplate {
  readonly template: string;
  readonly title?: string | undefined;
  readonly body: string;
}

interface SentMessage {
  readonly id: string;
  readonly kind: 'app' | 'sms';
  readonly appId: string;
  readonly at: number;
  readonly title: string;
  readonly body: string;
  readonly payload: object;
  readonly android: number;
  readonly ios: number;
  readonly mobiles: readonly string[];
}

type Body = Record<string, unknown>;

/** The result of a message is known so long after it was accepted. */
const resultAfterMs = 2000;
const keptMax = 10_000;
const failing = /0000$/;

/**
 * SPEC 2.12, 4.7: a message is accepted at once, and its result comes later. A text message to a
 * number that ends in 0000 fails.
 */
export class SimMessages {
  readonly #templates: ReadonlyMap<string, SimTemplate>;
  readonly #clock: Clock;
  readonly #sent = new Map<string, SentMessage>();

  constructor(templates: readonly SimTemplate[], clock: Clock) {
    this.#templates = new Map(templates.map(one => [one.template, one]));
    this.#clock = clock;
  }

  /** Every message that was accepted, in order, for tests. */
  taken(): { readonly msg_id: string; readonly body: string; readonly mobiles: readonly string[] }[] {
    return [...this.#sent.values()].map(({ id, body, mobiles }) => ({ msg_id: id, body, mobiles }));
  }

  sendApp(body: Body, appId: string): string {
    const { content, words } = this.#content(body);
    const platforms = listOf(body.platforms, 'platforms');
    if (platforms.length === 0 || platforms.some(one => one !== 'android' && one !== 'ios'))
      throw wrong('platforms: android and ios');
    const target = objectOf(body.target, 'target');
    const many = listOf(target.identities ?? [], 'target.identities').length;
    const tags = listOf(target.tags ?? [], 'target.tags').length;
    if (many + tags === 0) throw wrong('target: identities or tags');
    const count = (platform: string) => (platforms.includes(platform) ? many + tags : 0);
    const payload = content.extra === undefined ? {} : objectOf(content.extra, 'content.extra');
    return this.#take({ kind: 'app', appId, ...words, payload, android: count('android'), ios: count('ios') });
  }

  sendShort(body: Body, appId: string): string {
    const { words } = this.#content(body);
    const target = listOf(body.target, 'target').map(one => objectOf(one, 'target'));
    if (target.length === 0) throw wrong('target: is empty');
    if (target.length > serviceLimits.shortMessageNumbersMax)
      throw wrong(`target: at most ${serviceLimits.shortMessageNumbersMax} numbers`);
    const mobiles = target.map(({ mobile, mobile_region: region }) => {
      if (!/^\d{3,20}$/.test(String(mobile))) throw wrong('target.mobile: digits');
      if (!/^\+?\d{1,4}$/.test(String(region))) throw wrong('target.mobile_region: an area code');
      return String(mobile);
    });
    return this.#take({ kind: 'sms', appId, ...words, mobiles });
  }

  findApp(ids: string | null, appId: string): object[] {
    return this.#find('app', ids, appId).map(one => ({
      msg_id: one.id,
      title: one.title,
      body: one.body,
      payload: one.payload,
      android_send: this.#isOver(one) ? one.android : 0,
      ios_send: this.#isOver(one) ? one.ios : 0,
    }));
  }

  findShort(ids: string | null, appId: string): object {
    return {
      msg_detail_list: this.#find('sms', ids, appId).map(one => ({
        msg_id: one.id,
        body: one.body,
        mobiles: one.mobiles,
        result: this.#isOver(one) ? (one.mobiles.some(mobile => failing.test(mobile)) ? 2 : 1) : 0,
      })),
    };
  }

  #isOver = ({ at }: SentMessage): boolean => this.#clock.monotonic() - at >= resultAfterMs;

  #find(kind: SentMessage['kind'], list: string | null, appId: string): SentMessage[] {
    const ids = [...new Set((list ?? '').split(',').map(id => id.trim()))].filter(id => id !== '');
    if (ids.length === 0) throw wrong('msgIdList: is missing');
    if (ids.length > serviceLimits.messageIdsMax) throw wrong(`msgIdList: at most ${serviceLimits.messageIdsMax}`);
    return ids.flatMap(id => {
      const one = this.#sent.get(id);
      return one?.kind === kind && one.appId === appId ? [one] : [];
    });
  }

  #take(said: Partial<SentMessage> & Pick<SentMessage, 'kind' | 'appId' | 'title' | 'body'>): string {
    const id = `m${String(this.#sent.size + 1).padStart(8, '0')}`;
    const empty = { payload: {}, android: 0, ios: 0, mobiles: [] };
    this.#sent.set(id, { ...empty, ...said, id, at: this.#clock.monotonic() });
    if (this.#sent.size > keptMax) throw new Error('the simulated cloud holds no more messages');
    return id;
  }

  #content(body: Body) {
    const content = objectOf(body.content, 'content');
    if (typeof content.template !== 'string' || content.template === '') throw wrong('content.template: is missing');
    const found = this.#templates.get(content.template);
    if (!found) throw unknown(`content.template "${content.template}": no such template`);
    const parameters =
      content.template_params === undefined ? {} : objectOf(content.template_params, 'template_params');
    const filled = (text: string) =>
      text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_all, name: string) => {
        if (parameters[name] === undefined) throw wrong(`content.template_params.${name}: is missing`);
        return String(parameters[name]);
      });
    return { content, words: { title: filled(found.title ?? ''), body: filled(found.body) } };
  }
}

function objectOf(value: unknown, field: string): Body {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${field}: must be an object`);
  return value as Body;
}

function listOf(value: unknown, field: string): unknown[] {
  if (!Array.isArray(value)) throw wrong(`${field}: must be a list`);
  return value;
}
