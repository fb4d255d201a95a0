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
const data = workerData as WriterData & PostgresAddress & { readonly process: number; readonly line: Int32Array };
const engine = postgresEngine(data);
const writer = new Writer(engine, data, state => port.postMessage(state));
const loop = new WriterLoop(writer, port, data.tablesRestMs);
loop.start();

const closing = new AbortController();
port.once('close', () => closing.abort());
void follow();

/** Until the store is closed. */
async function follow(): Promise<void> {
  let turn: ForwardingTurn = { kind: 'turn', until: null, isUpElsewhere: false };
  for (let known = ''; !closing.signal.aborted; ) {
    await realClock.sleep(followMs, closing.signal).catch(() => {});
    if (closing.signal.aborted) return;
    const tail = writer.follow();
    loop.look();
    const until = data.upstream ? engine.forwarding.look() : null;
    const { isUpElsewhere } = engine.forwarding;
    if (until !== turn.until || isUpElsewhere !== turn.isUpElsewhere) {
      turn = { kind: 'turn', until, isUpElsewhere };
      port.postMessage(turn);
    }
    const now = JSON.stringify(tail);
    if (!tail || now === known) continue;
    known = now;
    port.postMessage({ kind: 'tail', ...tail } satisfies WriterTail);
  }
}
