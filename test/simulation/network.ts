import { Duplex } from 'node:stream';
import type { Lane, World } from './world.ts';

/** How the network between two ends is at present. */
export interface Way {
  /** One way, in milliseconds: at least, and by how much it varies. */
  latencyMs: number;
  jitterMs: number;
  /** Nothing gets through, and nobody is told. */
  isSilent: boolean;
  /** A connection is refused at once. */
  refuses: boolean;
}

export const goodWay = (): Way => ({ latencyMs: 1, jitterMs: 4, isSilent: false, refuses: false });

/**
 * One end of a connection. What is written arrives at the other end in order and after a while, or
 * never. A connection that breaks without a word is open at the other end until that notices.
 */
export class Socket extends Duplex {
  readonly #world: World;
  readonly #way: Way;
  /** Where its events happen; null: outside of any program. */
  readonly #lane: Lane | null;
  #other: Socket | null = null;
  /** When the last of what was written arrives. */
  #arrivesAt = 0;
  #isCut = false;

  private constructor(world: World, way: Way, lane: Lane | null) {
    super({ allowHalfOpen: false });
    this.#world = world;
    this.#way = way;
    this.#lane = lane;
    this.on('error', () => {});
  }

  static pair(world: World, way: Way, lanes: readonly [Lane | null, Lane | null]): [Socket, Socket] {
    const one = new Socket(world, way, lanes[0]);
    const other = new Socket(world, way, lanes[1]);
    one.#other = other;
    other.#other = one;
    for (const end of [one, other]) end.#lane?.life.onEnd.push(() => end.#die());
    return [one, other];
  }

  /** A connection that leads nowhere. */
  static toNobody(world: World, way: Way): Socket {
    return new Socket(world, way, world.lane);
  }

  /** Nothing passes any more, in either direction, and neither end is told. */
  cut(): void {
    this.#isCut = true;
    if (this.#other) this.#other.#isCut = true;
  }

  /** Both ends are told that it broke. */
  reset(): void {
    this.#broke();
    this.#die();
  }

  fail(code: string): void {
    this.#world.after(this.#delay(), () => this.destroy(Object.assign(new Error(code), { code })), this.#lane);
  }

  /** The program at this end is gone; its kernel resets the connection. */
  #die(): void {
    if (this.#other) this.#other.#broke();
  }

  #broke(): void {
    if (this.#isCut && this.#lane === null) return;
    this.#world.after(
      this.#delay(),
      () => this.destroy(Object.assign(new Error('ECONNRESET'), { code: 'ECONNRESET' })),
      this.#lane,
    );
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.#lane?.life.isDead) return;
    this.#send(other => other.push(Buffer.from(chunk)));
    this.#world.after(0.05, () => done(), this.#lane);
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#lane?.life.isDead) return;
    this.#send(other => other.push(null));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#lane?.life.isDead) this.#send(other => other.push(null));
    done(error);
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  #send(act: (other: Socket) => void): void {
    const other = this.#other;
    if (!other || this.#isCut) return;
    // Later bytes could not arrive without these.
    if (this.#way.isSilent) return void this.cut();
    this.#arrivesAt = Math.max(this.#arrivesAt, this.#world.monotonic + this.#delay());
    this.#world.after(
      this.#arrivesAt - this.#world.monotonic,
      () => {
        if (!other.destroyed && !this.#isCut) act(other);
      },
      other.#lane,
    );
  }

  #delay(): number {
    const { latencyMs, jitterMs } = this.#way;
    return latencyMs + this.#world.random() * this.#world.random() * jitterMs;
  }
}
