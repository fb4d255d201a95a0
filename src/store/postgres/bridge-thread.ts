import { workerData } from 'node:worker_threads';
import type { Client, QueryArrayConfig, QueryArrayResult } from 'pg';
import { stateOf } from '../schema/engine-failures.ts';
import { type Answer, type BridgeData, type Call, type Reply, signalReply, type Value } from './bridge-messages.ts';
import { connectSession } from './session.ts';
import { valueTypes } from './values.ts';

/**
 * The thread behind a bridge: runs one call after the other on its connection. Those that come
 * together are sent together (a pipeline). Statements are prepared at their first call and stay so
 * for the life of the connection, but for those whose rows get another column when a newer version
 * adds one: PostgreSQL refuses such a one from then on ("cached plan must not change result type").
 */
const { url, port, signal } = workerData as BridgeData;
const names = new Map<string, string>();
let warnings: string[] = [];
let client: Client | null = null;

port.on('message', (calls: readonly Call[] | 'close') => {
  if (calls === 'close') void close();
  else void run(calls).then(reply);
});
// The caller sleeps until it is told: a bug here must not leave it asleep.
process.on('uncaughtException', error => reply(failed(error)));

connect().then(reply);

function reply(message: Reply): void {
  port.postMessage(message);
  signalReply(signal);
}

async function connect(): Promise<Reply> {
  try {
    client = await connectSession(url, {
      application_name: 'gatehouse',
      pipeline: true,
      types: valueTypes,
    });
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') warnings.push(message ?? '');
    });
    return { answers: [], isTransaction: false, warnings: [] };
  } catch (error) {
    return failed(error);
  }
}

async function run(calls: readonly Call[]): Promise<Reply> {
  warnings = [];
  const outcomes = await Promise.allSettled(calls.map(query));
  const answers: Answer[] = [];
  for (const one of outcomes) {
    if (one.status === 'rejected') return failed(one.reason);
    answers.push(answerOf(Array.isArray(one.value) ? (one.value.at(-1) as Result) : one.value));
  }
  return { answers, isTransaction: isTransaction(), warnings };
}

type Result = QueryArrayResult<Value[]>;

/** All columns of a table; those of a query in brackets are named there. */
const allColumns = /\b(?:SELECT|RETURNING) (?:\w+\.)?\*(?! FROM \()/;

async function query({ text, values }: Call): Promise<Result | Result[]> {
  if (!client) throw new Error('there is no connection to PostgreSQL');
  if (!values) return client.query({ text, rowMode: 'array' });
  if (allColumns.test(text)) return client.query({ text, values: values as Value[], rowMode: 'array' });
  let name = names.get(text);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return client.query({ name, text, values: values as Value[], rowMode: 'array' } satisfies QueryArrayConfig);
}

const answerOf = ({ fields, rows, rowCount }: Result): Answer => ({
  columns: fields.map(({ name }) => name),
  rows,
  count: rowCount ?? 0,
});

function failed(error: unknown): Reply {
  const { message } = error as { message: string };
  return { failed: { message, state: stateOf(error), isTransaction: isTransaction() } };
}

/** 'T': a transaction is open; 'E': it failed and waits to be rolled back. */
function isTransaction(): boolean {
  const status = client?.getTransactionStatus();
  return status === 'T' || status === 'E';
}

async function close(): Promise<void> {
  await client?.end().catch(() => {});
  signalReply(signal);
  port.close();
  process.exit();
}
