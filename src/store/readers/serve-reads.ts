import type { MessagePort } from 'node:worker_threads';
import { SegmentReader } from '../journal/segment-reader.ts';
import type { Connection } from '../schema/database.ts';
import type { ReadReply, ReadRequest } from './growing.ts';
import { readFailure } from './own-reader.ts';
import { storeReader } from './reader.ts';
import { StoredDevices } from './stored-devices.ts';

/**
 * Loop of a reader thread: reads on a connection of its own, each of which sees the last commit.
 * Long ones work in slices, between which others run.
 */
export function serveReads(port: MessagePort, connection: Connection, hasCloud: boolean): void {
  const devices = new StoredDevices(connection);
  // Caches no segment: one that is rewritten after an erasure must not be read in its old form.
  const reads = storeReader(connection, new SegmentReader(connection, 0), devices, hasCloud, firstSeq =>
    port.postMessage({ kind: 'damaged', firstSeq } satisfies ReadReply),
  );
  const running = new Map<number, AbortController>();

  async function read({ id, name, args }: Extract<ReadRequest, { kind: 'read' }>): Promise<ReadReply> {
    const ending = new AbortController();
    running.set(id, ending);
    devices.forget();
    const [first, ...others] = args;
    const takesSignal = first !== null && typeof first === 'object' && !Array.isArray(first);
    const query = takesSignal ? { ...first, signal: ending.signal } : first;
    try {
      const act = reads[name] as (...args: unknown[]) => Promise<unknown>;
      return { kind: 'found', id, value: await act(query, ...others) };
    } catch (error) {
      return { kind: 'failed', id, ...readFailure(error) };
    } finally {
      running.delete(id);
    }
  }

  port.on('message', (request: ReadRequest) => {
    if (request.kind === 'read') void read(request).then(reply => port.postMessage(reply));
    else if (request.kind === 'cancel') running.get(request.id)?.abort();
    else {
      for (const ending of running.values()) ending.abort();
      connection.database.close();
      port.close();
    }
  });
}
