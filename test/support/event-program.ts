import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import type { BoxProcess } from './program.ts';
import { until } from './until.ts';

/** A program of the site that hears events, with mqtt.js; docs/events.md describes what it does. */

export interface Heard {
  readonly topic: string;
  readonly text: string;
  readonly retain: boolean;
}

export const tokenFor = async (box: BoxProcess, name: string, topics?: string, actions?: string): Promise<string> =>
  (
    await box.ask(
      ...['token', 'create', '--role', 'events', '--name', name],
      ...(topics === undefined ? [] : ['--topics', topics]),
      ...(actions === undefined ? [] : ['--actions', actions]),
    )
  ).trim();

export class EventProgram implements AsyncDisposable {
  readonly client: MqttClient;
  readonly heard: Heard[] = [];

  constructor(box: BoxProcess, name: string, token: string, options: IClientOptions = {}) {
    this.client = mqtt.connect(`mqtt://127.0.0.1:${box.port('events')}`, {
      username: name,
      password: token,
      reconnectPeriod: 0,
      ...options,
    });
    this.client.on('error', () => {});
    this.client.on('message', (topic, payload, { retain }) =>
      this.heard.push({ topic, text: payload.toString(), retain }),
    );
  }

  async connected(): Promise<this> {
    if (!this.client.connected) await new Promise<void>(resolve => this.client.once('connect', () => resolve()));
    return this;
  }

  /** Resolves with the QoS that was granted for each filter; 128: refused. */
  async subscribe(filter: string, qos: 0 | 1 | 2 = 0): Promise<number> {
    await this.connected();
    return new Promise((resolve, reject) =>
      this.client.subscribe(filter, { qos }, (error, granted, packet) => {
        const code = (packet as { granted?: number[] } | undefined)?.granted?.[0] ?? granted?.[0]?.qos;
        if (code === undefined) reject(error);
        else resolve(code);
      }),
    );
  }

  on(topic: string): Record<string, unknown>[] {
    return this.heard
      .filter(one => one.topic.startsWith(topic) && one.text !== '')
      .map(({ text }) => JSON.parse(text) as Record<string, unknown>);
  }

  /** The first event of a topic that fits. */
  event(topic: string, fits: (event: Record<string, unknown>) => boolean = () => true) {
    return until(`an event of ${topic}`, () => this.on(topic).find(fits));
  }

  async ask(topic: string, body: object, responseTopic: string): Promise<Record<string, unknown>> {
    this.client.publish(topic, JSON.stringify({ ...body, response_topic: responseTopic }), { qos: 1 });
    return this.event(responseTopic);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.endAsync(true);
  }
}

/** What a consumer keeps across its own crashes. */
export interface Kept {
  last: number;
  count: number;
  /** The work that it does for an event. */
  readonly take: (id: number) => void;
}

/**
 * Takes each check-in exactly once and in order, over crashes of the box and its own: live events
 * wait until it has read again what it missed, and a gap is read again too.
 */
export class CheckInConsumer implements AsyncDisposable {
  readonly #program: EventProgram;
  readonly #kept: Kept;
  readonly #answers: string;
  #live: { seq: number; previous: number }[] = [];
  #isLevel = false;
  #asked = 0;

  constructor(box: BoxProcess, name: string, token: string, kept: Kept) {
    this.#program = new EventProgram(box, name, token, { reconnectPeriod: 20, connectTimeout: 2000 });
    this.#kept = kept;
    this.#answers = `gatehouse/v1/answers/${name}/r`;
    const { client } = this.#program;
    client.on('connect', () => {
      this.#isLevel = false;
      this.#live = [];
      client.subscribe(['gatehouse/v1/checkins/+', `${this.#answers}/#`, 'gatehouse/v1/missed'], error => {
        if (!error) this.#replay();
      });
    });
    client.on('message', (topic, payload) => {
      const event = JSON.parse(payload.toString());
      if (topic.startsWith('gatehouse/v1/checkins/')) this.#onLive(event);
      else if (topic === 'gatehouse/v1/missed') this.#onGap();
      else if (topic === `${this.#answers}/${this.#asked}`) this.#onAnswer(event);
    });
  }

  #replay(): void {
    const responseTopic = `${this.#answers}/${++this.#asked}`;
    const body = { kind: 'checkins', after: this.#kept.last, response_topic: responseTopic };
    this.#program.client.publish('gatehouse/v1/replay', JSON.stringify(body));
  }

  #onAnswer(event: { end?: boolean; more?: boolean; seq: number }): void {
    if (!event.end) this.#take(event.seq);
    else if (event.more) this.#replay();
    else {
      this.#isLevel = true;
      for (const live of this.#live.splice(0)) this.#onLive(live);
    }
  }

  #onLive(event: { seq: number; previous: number }): void {
    const isGap = event.previous > this.#kept.last;
    if (!this.#isLevel || isGap) this.#live.push(event);
    else this.#take(event.seq);
    if (isGap) this.#onGap();
  }

  #onGap(): void {
    if (!this.#isLevel) return;
    this.#isLevel = false;
    this.#replay();
  }

  /** What it does with an event, and where it has come to, are one step. */
  #take(seq: number): void {
    if (seq <= this.#kept.last) return;
    this.#kept.take(seq);
    this.#kept.count++;
    this.#kept.last = seq;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
  }
}
