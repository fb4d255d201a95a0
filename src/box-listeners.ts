import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { socketFile, socketPath } from './admin/index.ts';
import { watchHandshakes } from './box-handshakes.ts';
import type { Fetch, Served } from './box-served.ts';
import { type Address, formatAddress, parseAddress } from './config/index.ts';
import type { Clock } from './platform/clock.ts';

/** What stops the box from starting; the message says why and what to do. */
export class BoxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BoxError';
  }
}

/** A listener that stands. `address` has the port that was picked. */
export interface Listener extends AsyncDisposable {
  readonly address: string;
  /** Shows a renewed certificate to whoever connects from now on. */
  renew(certificate: Certificate): void;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const handshakeTimeoutMs = 10_000;
const connectionsMax = 20_000;
/** Longer than a device waits between two pulls (SPEC 5.1: 30 to 60 s), so that its connection stays open. */
const keepAliveMs = 100_000;
const headersTimeoutMs = 15_000;
/** Of a whole request: 500 MiB (SPEC 8) over a line of 1.2 Mbit/s. Whoever sends one byte at a time holds no more than one who keeps a connection open. */
const requestTimeoutMs = 3600_000;
const lastAnswersMs = 2000;
/** `ca`: nobody who comes shows a certificate, and without it Node reads all roots of the world for each listener: 2 MB, and a quarter of the start. */
const tlsOptions: SecureContextOptions = { minVersion: 'TLSv1.2', ca: [] };

/** Each connection is handed over as soon as its TLS handshake is done; what fails before is told to `failed`. */
export async function listenMqtts(
  name: string,
  address: Address,
  certificate: Certificate,
  handle: (stream: Socket, from: { address: string; tls: boolean }) => void,
  failed: (address: string, error: Error) => void,
): Promise<Listener> {
  const server = createTlsServer(
    { ...certificate, ...tlsOptions, handshakeTimeout: handshakeTimeoutMs, noDelay: true },
    (stream: TLSSocket) => handle(stream, { address: stream.remoteAddress ?? '', tls: true }),
  );
  watchHandshakes(server, failed);
  return listening(name, server, address, renewed => server.setSecureContext({ ...renewed, ...tlsOptions }));
}

export async function listenMqtt(
  name: string,
  address: Address,
  handle: (stream: Socket, from: { address: string; tls: boolean }) => void,
): Promise<Listener> {
  const server = createTcpServer({ noDelay: true }, stream =>
    handle(stream, { address: stream.remoteAddress ?? '', tls: false }),
  );
  return listening(name, server, address);
}

export async function listenHttps(
  name: string,
  address: Address,
  certificate: Certificate,
  served: Served,
  failed: (address: string, error: Error) => void,
  clock: Clock,
): Promise<Listener> {
  const server = createHttpsServer(
    { ...certificate, ...tlsOptions, handshakeTimeout: handshakeTimeoutMs, noDelay: true },
    answering(served),
  );
  watchHandshakes(server, failed);
  bounded(server);
  const listener = await listening(name, server, address, renewed =>
    server.setSecureContext({ ...renewed, ...tlsOptions }),
  );
  return { ...listener, [Symbol.asyncDispose]: () => endHttp(server, clock) };
}

export async function listenHttp(name: string, address: Address, served: Served, clock: Clock): Promise<Listener> {
  const server = createHttpServer({ noDelay: true }, answering(served));
  bounded(server);
  const listener = await listening(name, server, address);
  return { ...listener, [Symbol.asyncDispose]: () => endHttp(server, clock) };
}

/** The Unix socket in the data directory, which the caller owns: one that is left over is removed. Mode 0660. */
export async function listenSocket(dataDir: string, served: Served, clock: Clock): Promise<AsyncDisposable> {
  const file = socketFile(dataDir);
  rmSync(file, { force: true });
  const server = createHttpServer(answering(served));
  using socket = socketPath(dataDir);
  const before = process.umask(0o117);
  try {
    server.listen(socket.path);
    await once(server, 'listening');
  } catch (error) {
    throw new BoxError(`${file}: the socket for the commands cannot be made: ${(error as Error).message}`);
  } finally {
    process.umask(before);
  }
  chmodSync(file, 0o660);
  return {
    async [Symbol.asyncDispose]() {
      await endHttp(server, clock);
      rmSync(file, { force: true });
    },
  };
}

/** What stands between Node's requests and those of the web is loaded with the first request: with Node's fetch behind it, it is a twentieth of a start. */
function answering(served: Served): RequestListener {
  let listener: RequestListener | undefined;
  let loading: Promise<RequestListener> | undefined;
  const load = async () => {
    const { getRequestListener } = await import('@hono/node-server');
    listener = getRequestListener(served.fetch) as RequestListener;
    return listener;
  };
  return (request, response) => {
    if (listener) return listener(request, response);
    loading ??= load();
    void loading.then(loaded => loaded(request, response));
  };
}

function bounded(server: HttpServer): void {
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.maxRequestsPerSocket = 0;
}

async function listening(
  name: string,
  server: Server,
  { host, port }: Address,
  renew: (certificate: Certificate) => void = () => {},
): Promise<Listener> {
  server.maxConnections = connectionsMax;
  server.listen({ host, port, backlog: 1024 });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new BoxError(whyNotListening(name, formatAddress({ host, port }), error as NodeJS.ErrnoException));
  }
  const bound = server.address() as AddressInfo;
  return {
    address: formatAddress({ host, port: bound.port }),
    renew,
    // Open connections belong to their door, which ends them after the last commit.
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

function whyNotListening(name: string, address: string, { code, message }: NodeJS.ErrnoException): string {
  const key = name.includes('.') ? name : `listen.${name}`;
  const variable = `GATEHOUSE_${key.toUpperCase().replace('.', '__')}`;
  switch (code) {
    case 'EADDRINUSE':
      return `${key} ${address}: another program listens there: stop it, or choose another port in the config (or with ${variable})`;
    case 'EACCES':
      return `${key} ${address}: not allowed to listen on a port below 1024: choose another, or give the program CAP_NET_BIND_SERVICE`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${key} ${address}: this machine has no such address: write one of its own, or 0.0.0.0 for all`;
    default:
      return `${key} ${address}: cannot listen: ${message}`;
  }
}

/** Stops accepting, lets what is being answered end, then closes what is left. */
async function endHttp(server: HttpServer, clock: Clock): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeIdleConnections();
  await Promise.race([closed, clock.sleep(lastAnswersMs)]);
  server.closeAllConnections();
}

/** Sends callers of the plain port to the same path over https. */
export function redirectTo(https: string | null): Fetch {
  const port = https === null ? null : parseAddress(https)?.port;
  return request => {
    const url = new URL(request.url);
    if (port === null || port === undefined)
      return new Response('this box serves https alone, and it is off\n', { status: 404 });
    url.protocol = 'https:';
    url.port = port === 443 ? '' : String(port);
    return new Response(null, { status: 308, headers: { location: url.href } });
  };
}
