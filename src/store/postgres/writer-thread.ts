import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { realClock } from '../../runtime/real-world.ts';
import { WriterLoop } from '../writer/loop.ts';
import type { ForwardingTurn, WriterData, WriterTail } from '../writer/messages.ts';
import { Writer } from '../writer/writer.ts';
import type { PostgresAddress } from './connection.ts';
import { postgresEngine } from './writer-engine.ts';

/** How long it takes to hear of what other processes have committed. */
const followMs = 25;

/** The writer thread of a process on PostgreSQL. */
const port = parentPort as MessagePort;
const data = workerData as WriterData & PostgresAddress & { readonly process: number };
const engine = postgresEngine(data);
const writer = new Writer(engine, data, state => port.postMessage(state));
const loop = new WriterLoop(writer, port, data.tablesRestMs);
loop.start();

const closing = new AbortController();
port.once('close', () => closing.abort());
void follow();

/** Until the store is closed. */
async function follow(): Promise<void> {
  let until: number | null = null;
  for (let known = ''; !closing.signal.aborted; ) {
    await realClock.sleep(followMs, closing.signal).catch(() => {});
    if (closing.signal.aborted) return;
    const tail = writer.follow();
    loop.look();
    const turn = data.upstream ? engine.forwarding.look() : null;
    if (turn !== until) {
      until = turn;
      port.postMessage({ kind: 'turn', until } satisfies ForwardingTurn);
    }
    const now = JSON.stringify(tail);
    if (!tail || now === known) continue;
    known = now;
    port.postMessage({ kind: 'tail', ...tail } satisfies WriterTail);
  }
}
