/** A request's body, or an answer, for which the box holds memory. */
export interface Holder {
  /** The address block of its caller (`addressBlock`). */
  readonly block: string;
  /** Called when its memory is taken from it. */
  giveWay(): void;
}

/** Bounds in bytes. */
interface Bounds {
  /** Of callers that have not logged in, together. */
  readonly strangers: number;
  /** Of all others together: devices with a session, staff, programs. */
  readonly known: number;
}

/**
 * Counts the bytes that are held for callers, in two budgets: strangers never take what is there
 * for callers that have logged in. When a budget is used up, the address block with the most gives
 * way, and there the newest: a new body is refused before an older one of the same address, and
 * many of one address are refused before a few of another.
 */
export class HeldBytes {
  readonly #strangers: Share;
  readonly #known: Share;

  constructor({ strangers, known }: Bounds) {
    this.#strangers = new Share(strangers);
    this.#known = new Share(known);
  }

  get bytes(): { readonly strangers: number; readonly known: number } {
    return { strangers: this.#strangers.bytes, known: this.#known.bytes };
  }

  /**
   * Sets what is held for `holder`, in bytes. Returns false if there is no room: then nothing is
   * counted for it any more, and it has to be refused.
   */
  hold(holder: Holder, isKnown: boolean, bytes: number): boolean {
    (isKnown ? this.#strangers : this.#known).release(holder);
    return (isKnown ? this.#known : this.#strangers).hold(holder, bytes);
  }

  release(holder: Holder): void {
    this.#strangers.release(holder);
    this.#known.release(holder);
  }
}

class Share {
  readonly #bytesMax: number;
  /** By block, each holder with its bytes. The oldest stands first. */
  readonly #blocks = new Map<string, { bytes: number; readonly holders: Map<Holder, number> }>();
  bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  hold(holder: Holder, bytes: number): boolean {
    const { block } = holder;
    let own = this.#blocks.get(block);
    if (!own) {
      own = { bytes: 0, holders: new Map() };
      this.#blocks.set(block, own);
    }
    const more = bytes - (own.holders.get(holder) ?? 0);
    own.holders.set(holder, bytes);
    own.bytes += more;
    this.bytes += more;
    while (more > 0 && this.bytes > this.#bytesMax) {
      const newest = this.#newestOfHeaviest(own);
      this.release(newest);
      if (newest === holder) return false;
      newest.giveWay();
    }
    return true;
  }

  release(holder: Holder): void {
    const own = this.#blocks.get(holder.block);
    const bytes = own?.holders.get(holder);
    if (!own || bytes === undefined) return;
    own.holders.delete(holder);
    own.bytes -= bytes;
    this.bytes -= bytes;
    if (own.holders.size === 0) this.#blocks.delete(holder.block);
  }

  /** Of two that hold as much, `own` is the heavier. */
  #newestOfHeaviest(own: { readonly bytes: number; readonly holders: Map<Holder, number> }): Holder {
    let heaviest = own;
    for (const one of this.#blocks.values()) if (one.bytes > heaviest.bytes) heaviest = one;
    return [...heaviest.holders.keys()].at(-1)!;
  }
}
