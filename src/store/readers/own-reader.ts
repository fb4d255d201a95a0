import type { MessagePort } from 'node:worker_threads';
import type { ReadPart } from '../domain.ts';
import { SegmentReader } from '../journal/segment-reader.ts';
import type { StoreErrorCode } from '../port/journal.ts';
import type { ReaderAddress, StoreReader } from '../port/store.ts';
import { type Connection, failureOf, openReadOnly } from '../schema/database.ts';
import { isReadFailure } from '../schema/engine-failures.ts';
import { type ReadReply, type ReadRequest, storeReader } from './reader.ts';
import { type KnownDevices, StoredDevices } from './stored-devices.ts';

/** Reads of a thread with a connection of its own; each sees the last commit. */
export interface OwnReader extends ReadPart<StoreReader> {
  readonly devices: Pick<KnownDevices, 'deviceByNo'>;
  /** Drops cached devices: before each job. */
  forget(): void;
  close(): void;
}

/**
 * Opens the reads of a running store on the calling thread, which each of them blocks. Blocks of
 * logs that cannot be read are not reported.
 */
export async function openOwnReader(address: ReaderAddress): Promise<OwnReader> {
  const connection = await connectTo(address);
  const devices = new StoredDevices(connection);
  return {
    // Caches no segment: one that is rewritten after an erasure must not be read in its old form.
    read: storeReader(connection, new SegmentReader(connection, 0), devices, address.hasCloud, () => {}),
    devices,
    forget: () => devices.forget(),
    close: () => connection.database.close(),
  };
}

async function connectTo(address: ReaderAddress): Promise<Connection> {
  if ('dataDir' in address) return openReadOnly(address.dataDir, address.sealKey);
  // Only a region loads what it takes to stand on PostgreSQL.
  const { connectToPostgres } = await import('../postgres/database.ts');
  return connectToPostgres(address);
}

const unreadable = (message: string): string =>
  `the disk cannot be read where this stands (${message}); the rest works: make a backup now and change the card`;

/** Failure of a read for another thread; `code` null: the store did not cause it. */
export function readFailure(error: unknown): { readonly code: StoreErrorCode | null; readonly message: string } {
  const { message } = error as Error;
  return { code: failureOf(error), message: isReadFailure(error) ? unreadable(message) : message };
}

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
