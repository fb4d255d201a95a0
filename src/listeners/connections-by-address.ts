import type { Socket } from 'node:net';

const none: ReadonlySet<Socket> = new Set();

/** Connections, and which address block each came from (`addressBlock`). */
export class ConnectionsByAddress {
  readonly #blocks = new Map<object, string>();
  readonly #byBlock = new Map<string, Set<Socket>>();

  get size(): number {
    return this.#blocks.size;
  }

  has(socket: object): boolean {
    return this.#blocks.has(socket);
  }

  /** How many came from there. */
  from(block: string): number {
    return this.#byBlock.get(block)?.size ?? 0;
  }

  add(block: string, socket: Socket): void {
    this.#blocks.set(socket, block);
    const own = this.#byBlock.get(block);
    if (own) own.add(socket);
    else this.#byBlock.set(block, new Set([socket]));
  }

  delete(socket: Socket): void {
    const block = this.#blocks.get(socket);
    if (block === undefined) return;
    this.#blocks.delete(socket);
    const own = this.#byBlock.get(block)!;
    own.delete(socket);
    if (own.size === 0) this.#byBlock.delete(block);
  }

  /** Takes out the oldest of a block: one block after the other. Undefined: there is none. */
  takeNext(): readonly [block: string, socket: Socket] | undefined {
    const first = this.#byBlock.entries().next().value;
    if (!first) return undefined;
    const [block, own] = first;
    const socket = own.values().next().value!;
    this.#blocks.delete(socket);
    own.delete(socket);
    this.#byBlock.delete(block);
    if (own.size > 0) this.#byBlock.set(block, own);
    return [block, socket];
  }

  /** The newest of the block that has most; null: no block has more than `count`. */
  newestOfMoreThan(count: number): Socket | null {
    let most = none;
    for (const own of this.#byBlock.values()) if (own.size > most.size) most = own;
    return most.size > count ? [...most].at(-1)! : null;
  }
}
