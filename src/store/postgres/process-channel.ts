import type { Processes, ProcessTopic } from '../port/region.ts';
import type { SideConnection } from './side-connection.ts';

const channel = 'gatehouse_processes';
/** NOTIFY takes 8000. */
const bytesMax = 7500;

/** Messages between processes, by NOTIFY over the side connection: `FROM TOPIC TEXT`. */
export class ProcessChannel implements Processes {
  readonly #side: SideConnection;
  readonly #me: number;
  readonly #listeners = new Map<string, ((text: string, from: number) => void)[]>();

  private constructor(side: SideConnection, me: number) {
    this.#side = side;
    this.#me = me;
    side.onNotification((from, payload) => {
      if (from === channel) this.#hear(payload);
    });
  }

  /** `me`: the number of this process. Rejects when the connection has broken. */
  static async open(side: SideConnection, me: number): Promise<ProcessChannel> {
    const opened = new ProcessChannel(side, me);
    await side.query(`LISTEN ${channel}`);
    return opened;
  }

  async tell(topic: ProcessTopic, text: string): Promise<void> {
    const bytes = Buffer.byteLength(text);
    if (bytes > bytesMax) throw new RangeError(`${topic}: ${bytes} bytes`);
    await this.#side
      .query({ name: 'tell all', text: 'SELECT pg_notify($1, $2)', values: [channel, `${this.#me} ${topic} ${text}`] })
      .catch(() => {});
  }

  onMessage(topic: ProcessTopic, listener: (text: string, from: number) => void): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener]);
  }

  #hear(payload: string): void {
    const [, from, topic, text] = /^(\d+) ([\w-]+) (.*)$/s.exec(payload) ?? [];
    if (topic === undefined || Number(from) === this.#me) return;
    for (const listener of this.#listeners.get(topic) ?? []) listener(text!, Number(from));
  }
}
