import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { realClock } from '../../runtime/real-world.ts';
import { WriterLoop } from '../writer/loop.ts';
import type { WriterData, WriterTail, WriterTurn } from '../writer/messages.ts';
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
  const turns = (['once', ...(data.upstream ? (['forwarding'] as const) : [])] as const).map(followTurn);
  for (let known = ''; !closing.signal.aborted; ) {
    await realClock.sleep(followMs, closing.signal).catch(() => {});
    if (closing.signal.aborted) return;
    const tail = writer.follow();
    loop.look();
    for (const look of turns) look();
    const now = JSON.stringify(tail);
    if (!tail || now === known) continue;
    known = now;
    port.postMessage({ kind: 'tail', ...tail } satisfies WriterTail);
  }
}

/**
 * Returns what looks at a turn, and tells the main thread when it begins, is renewed or is over.
 */
function followTurn(name: WriterTurn['name']): () => void {
  let sent: WriterTurn = { kind: 'turn', name, until: null, isUpElsewhere: false };
  return () => {
    const until = engine.turns[name].look();
    const { isUpElsewhere } = engine.turns[name];
    if (until === sent.until && isUpElsewhere === sent.isUpElsewhere) return;
    sent = { kind: 'turn', name, until, isUpElsewhere };
    port.postMessage(sent);
  };
}
