import memory, { type Packet } from 'aedes-persistence';

/** Maximum messages queued for a program that is away, or has not acknowledged them. */
const messagesMax = 1000;
const bytesMax = 1 << 20;

type Client = { readonly id: string };
type Owner = { readonly clientId: string };

/** Undocumented part of aedes-persistence that is used here; its types show callbacks. */
interface Memory {
  outgoingEnqueue(owner: Owner, packet: Packet): Promise<void>;
  outgoingEnqueueCombi(owners: readonly Owner[], packet: Packet): Promise<void>;
  outgoingClearMessageId(client: Client, packet: Packet): Promise<Packet | undefined>;
  outgoingStream(client: Client): AsyncIterable<Packet>;
  cleanSubscriptions(client: Client): Promise<void>;
  cleanIncoming(client: Client): Promise<void>;
}

/**
 * MQTT's sessions, retained messages and wills in memory: they outlive a connection, not the box.
 * What waits for a program is bounded: over the bound nothing more is kept for it and `onFull` is
 * called; the program reads again what it missed.
 */
export class BoundedSessions {
  /** For the broker. */
  readonly persistence: object;
  readonly #memory: Memory;
  readonly #waiting = new Map<string, { messages: number; bytes: number }>();
  readonly #onFull: (clientId: string) => void;

  constructor(onFull: (clientId: string) => void) {
    const kept = (memory as unknown as () => Memory)();
    const { outgoingEnqueue, outgoingEnqueueCombi, outgoingClearMessageId } = kept;
    this.#onFull = onFull;
    this.#memory = Object.assign(kept, {
      outgoingEnqueue: async (owner: Owner, packet: Packet) => {
        if (this.#hasRoom(owner, packet)) await outgoingEnqueue.call(kept, owner, packet);
      },
      outgoingEnqueueCombi: async (owners: readonly Owner[], packet: Packet) => {
        const those = owners.filter(owner => this.#hasRoom(owner, packet));
        if (those.length > 0) await outgoingEnqueueCombi.call(kept, those, packet);
      },
      outgoingClearMessageId: async (client: Client, packet: Packet) => {
        const cleared = await outgoingClearMessageId.call(kept, client, packet);
        if (cleared) this.#leave(client.id, cleared);
        return cleared;
      },
    });
    this.persistence = kept;
  }

  /** Ends the session of a program that does not come back. */
  async end(id: string): Promise<void> {
    const client = { id };
    await this.#memory.cleanSubscriptions(client).catch(() => {});
    for await (const packet of this.#memory.outgoingStream(client))
      await this.#memory.outgoingClearMessageId(client, packet);
    await this.#memory.cleanIncoming(client);
  }

  #hasRoom({ clientId }: Owner, packet: Packet): boolean {
    const { messages, bytes } = this.#waiting.get(clientId) ?? nothing;
    const more = { messages: messages + 1, bytes: bytes + bytesOf(packet) };
    if (more.messages > messagesMax || more.bytes > bytesMax) {
      this.#onFull(clientId);
      return false;
    }
    this.#waiting.set(clientId, more);
    return true;
  }

  #leave(clientId: string, packet: Packet): void {
    const { messages, bytes } = this.#waiting.get(clientId) ?? nothing;
    if (messages > 1) this.#waiting.set(clientId, { messages: messages - 1, bytes: bytes - bytesOf(packet) });
    else this.#waiting.delete(clientId);
  }
}

const nothing = { messages: 0, bytes: 0 };
const bytesOf = (packet: Packet): number => (packet as { payload?: Uint8Array }).payload?.length ?? 0;
