import { readFileSync, statSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { RegionMachine } from './region.ts';

const askMs = 5000;

export interface Answered {
  readonly status: number;
  readonly body: string;
  /** Of the answering machine, to the second; null: it does not say. */
  readonly at: number | null;
}

/** One call with the certificates of the machine that asks. Rejects when there is no answer. */
export class RegionCaller {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As Patroni does. */
  etcd = ({ address, ports }: RegionMachine, path: string): Promise<Answered> =>
    call({ host: address, port: ports.etcd, path, method: 'POST', ...this.#as('etcd-ca.pem', 'etcd-client') }, '{}');

  /** As the members of Patroni do. */
  patroni = ({ address, ports }: RegionMachine, path: string, method = 'GET'): Promise<Answered> =>
    call({ host: address, port: ports.patroni, path, method, ...this.#as('ca.pem', 'database') }, '');

  #as = (authority: string, name: string): RequestOptions => ({
    ca: readFileSync(join(this.#folder, authority)),
    cert: readFileSync(join(this.#folder, `${name}.pem`)),
    key: readFileSync(join(this.#folder, `${name}.key`)),
  });
}

/**
 * As a stranger: without a certificate, over TLS or in the clear. Rejects when there is no answer.
 */
export const callAsStranger = (
  host: string,
  port: number,
  path: string,
  { tls }: { tls: boolean },
): Promise<Answered> => call({ host, port, path, method: 'POST', rejectUnauthorized: false }, '{}', tls);

function call(options: RequestOptions, body: string, tls = true): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = (tls ? request : plainRequest)({ ...options, agent: false, timeout: askMs }, answer => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const at = Date.parse(answer.headers.date ?? '');
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, body: text, at: Number.isNaN(at) ? null : at });
      });
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer within 5 s')));
    asked.on('error', reject);
    asked.end(body);
  });
}

/** A row of HAProxy's `show stat`. */
interface ProxyServer {
  /** Section of its file. */
  readonly part: string;
  readonly server: string;
  readonly isUp: boolean;
  readonly status: string;
}

/** Every server of HAProxy, as it sees them. Rejects when it cannot be asked. */
export async function proxyServers(socket: string): Promise<readonly ProxyServer[]> {
  const text = await new Promise<string>((resolve, reject) => {
    const connection = connect(socket, () => connection.end('show stat\n'));
    let said = '';
    connection.setTimeout(askMs, () => connection.destroy(new Error('no answer within 5 s')));
    connection.setEncoding('utf8').on('data', chunk => {
      said += chunk;
    });
    connection.on('error', reject);
    connection.on('end', () => resolve(said));
  });
  const [head = '', ...rows] = text.trim().split('\n');
  const columns = head.replace(/^# /, '').split(',');
  const at = (row: readonly string[], name: string): string => row[columns.indexOf(name)] ?? '';
  return rows
    .map(row => row.split(','))
    .filter(row => !['FRONTEND', 'BACKEND'].includes(at(row, 'svname')))
    .map(row => {
      const status = at(row, 'status');
      const last = at(row, 'last_chk') || at(row, 'check_status');
      return {
        part: at(row, 'pxname'),
        server: at(row, 'svname'),
        isUp: status.startsWith('UP'),
        status: last || status,
      };
    });
}

/** Whether anybody but root may ask a Unix socket. */
export const isOpenToOthers = (socket: string): boolean => (statSync(socket).mode & 0o077) !== 0;
