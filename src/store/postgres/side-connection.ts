import type { Client } from 'pg';
import { withoutCompiling } from './connection.ts';

/** A connection for what must not wait behind the journal. Rejects when there is none. */
export async function connected(url: string): Promise<Client> {
  // Only a region reads it.
  const { Client } = await import('pg');
  const client = new Client({
    connectionString: url,
    application_name: 'gatehouse side',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  await client.query(withoutCompiling);
  return client;
}

/**
 * Fences a process: waits for the transaction that it has open, and none that it begins later
 * commits. On a connection of its own, since that may take seconds.
 */
export async function fenceProcess(url: string, process: number): Promise<void> {
  const client = await connected(url);
  client.on('error', () => {});
  try {
    await client.query('UPDATE process SET live = false WHERE id = $1 AND live', [process]);
  } finally {
    await client.end().catch(() => {});
  }
}
