import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { answerAll } from './answered-packets.ts';

/**
 * A broker in a process of its own that counts logs as the cloud does (SPEC 8: so many of a device
 * in any second, what is over is acknowledged and dropped), and acknowledges all. A device's
 * records bear numbers that rise: so it knows what arrives again. A line on its standard input ends
 * a part of the run; it prints a `Part` for each, the last one when all records have arrived, and
 * how many records and devices have arrived meanwhile.
 */
export interface LimitingOptions {
  readonly port: number;
  /** How many there are. */
  readonly records: number;
  readonly perSecond: number;
  /** Where in a payload the ten digits of its number begin. */
  readonly numberAt: number;
}

export interface Part {
  readonly devices: number;
  readonly arrived: number;
  /** Of them, those that had arrived before. */
  readonly again: number;
  /** Of them, those that the cloud would have dropped. */
  readonly dropped: number;
  /** Milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
  /**
   * Seconds that the records of all devices take at least within the limit, the first of them at
   * once, and what they took.
   */
  readonly leastSeconds: number;
  readonly seconds: number;
}

export type Said = {
  readonly fresh: number;
  /** Of how many devices something arrived in this part. */
  readonly heard: number;
  readonly part?: Part;
  readonly whole?: Part;
};

/** What arrived from one device since some moment. */
class Arrivals {
  count = 0;
  again = 0;
  dropped = 0;
  firstAt = 0;
  lastAt = 0;

  add(now: number, isFresh: boolean, isDropped: boolean): void {
    if (this.count++ === 0) this.firstAt = now;
    this.lastAt = now;
    if (!isFresh) this.again++;
    if (isDropped) this.dropped++;
  }
}

class Device {
  part = new Arrivals();
  readonly whole = new Arrivals();
  #last = -1;
  /** When those arrived that the cloud took last, as many as it takes in a second. */
  readonly #taken: Float64Array;
  #next = 0;

  constructor(perSecond: number) {
    this.#taken = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY);
  }

  get isNew(): boolean {
    return this.whole.count === 0;
  }

  /** Returns whether it arrived for the first time. */
  add(number: number, now: number): boolean {
    const isFresh = number > this.#last;
    if (isFresh) this.#last = number;
    const isDropped = this.#taken[this.#next]! > now - 1000;
    if (!isDropped) {
      this.#taken[this.#next] = now;
      this.#next = (this.#next + 1) % this.#taken.length;
    }
    this.part.add(now, isFresh, isDropped);
    this.whole.add(now, isFresh, isDropped);
    return isFresh;
  }
}

function summary(of: readonly Arrivals[], perSecond: number): Part {
  const all = of.filter(({ count }) => count > 0);
  const sum = (figure: (one: Arrivals) => number) => all.reduce((total, one) => total + figure(one), 0);
  const epoch = (at: number) => performance.timeOrigin + at;
  return {
    devices: all.length,
    arrived: sum(({ count }) => count),
    again: sum(({ again }) => again),
    dropped: sum(({ dropped }) => dropped),
    firstAt: epoch(Math.min(...all.map(({ firstAt }) => firstAt))),
    lastAt: epoch(Math.max(...all.map(({ lastAt }) => lastAt))),
    leastSeconds: sum(({ count }) => Math.ceil(count / perSecond) - 1),
    seconds: sum(({ firstAt, lastAt }) => (lastAt - firstAt) / 1000),
  };
}

function serve({ port, records, perSecond, numberAt }: LimitingOptions): void {
  const devices = new Map<string, Device>();
  let [fresh, heard] = [0, 0];
  const say = (more: Pick<Said, 'part' | 'whole'> = {}) =>
    console.log(JSON.stringify({ fresh, heard, ...more } satisfies Said));
  const partOf = () =>
    summary(
      Array.from(devices.values(), ({ part }) => part),
      perSecond,
    );
  const wholeOf = () =>
    summary(
      Array.from(devices.values(), ({ whole }) => whole),
      perSecond,
    );

  createServer({ noDelay: true }, socket =>
    answerAll(socket, (bytes, topicFrom, topicTo) => {
      const topic = bytes.toString('latin1', topicFrom, topicTo);
      const device = devices.get(topic) ?? new Device(perSecond);
      if (device.isNew) devices.set(topic, device);
      const at = topicTo + 2 + numberAt;
      let number = 0;
      for (let digit = at; digit < at + 10; digit++) number = number * 10 + bytes[digit]! - 48;
      if (device.part.count === 0) heard++;
      if (device.add(number, performance.now()) && ++fresh === records) say({ part: partOf(), whole: wholeOf() });
    }),
  ).listen(port, '127.0.0.1');
  createInterface({ input: process.stdin }).on('line', () => {
    say({ part: partOf() });
    for (const device of devices.values()) device.part = new Arrivals();
    heard = 0;
  });
  setInterval(say, 100);
}

if (process.argv[1] === import.meta.filename) serve(JSON.parse(process.argv[2]!) as LimitingOptions);
