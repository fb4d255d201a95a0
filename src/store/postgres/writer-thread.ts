import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { realClock } from '../../runtime/real-world.ts';
import { WriterLoop } from '../writer/loop.ts';
import type { WriterData, WriterLease, WriterTail } from '../writer/messages.ts';
import { Writer } from '../writer/writer.ts';
import type { PostgresAddress } from './database.ts';
import { postgresEngine } from './writer-engine.ts';

/** How long it takes to hear of what other processes have committed. */
const followMs = 25;

/** The writer thread of a process on PostgreSQL. */
const port = parentPort as MessagePort;
const data = workerData as WriterData & PostgresAddress & { readonly process: number; readonly uplink: Int32Array };
const engine = postgresEngine(data);
const writer = new Writer(engine, data, state => port.postMessage(state));
const loop = new WriterLoop(writer, port, data.tablesRestMs);
loop.start();

const closing = new AbortController();
port.once('close', () => closing.abort());
void follow();

/** Until the store is closed. */
async function follow(): Promise<void> {
  const followed = (['once', ...(data.upstream ? (['forwarding'] as const) : [])] as const).map(followLease);
  for (let known = ''; !closing.signal.aborted; ) {
    await realClock.sleep(followMs, closing.signal).catch(() => {});
    if (closing.signal.aborted) return;
    const tail = writer.follow();
    engine.leases.tables.look();
    loop.look();
    for (const look of followed) look();
    const now = JSON.stringify(tail);
    if (!tail || now === known) continue;
    known = now;
    port.postMessage({ kind: 'tail', ...tail } satisfies WriterTail);
  }
}

/**
 * Returns what looks at a lease, and tells the main thread when it is taken, renewed or lost.
 */
function followLease(name: WriterLease['name']): () => void {
  let sent: WriterLease = { kind: 'lease', name, until: null, isUpElsewhere: false };
  return () => {
    const until = engine.leases[name].look();
    const { isUpElsewhere } = engine.leases[name];
    if (until === sent.until && isUpElsewhere === sent.isUpElsewhere) return;
    sent = { kind: 'lease', name, until, isUpElsewhere };
    port.postMessage(sent);
  };
}
