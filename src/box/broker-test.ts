import { createServer, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Config } from '../config/index.ts';
import { type Address, isLoopback, parseAddress } from '../runtime/address.ts';
import type { Clock } from '../runtime/clock.ts';

/** Outcome for an address of the broker: as a client finds it, or whether it can be opened. */
type BrokerFound = 'answers' | 'silent' | 'free' | 'taken' | 'not_allowed' | 'no_such_address';

const answerMs = 5000;

/**
 * A CONNECT of an MQTT version that the broker does not have: it answers, and nobody logs in
 * (CONNACK 1).
 */
const connectOfOtherVersion = Buffer.from('100d00044d5154540502003c000000', 'hex');
const connack = 0x20;

/** Connects as a client on this machine does, over TLS where the broker speaks it. */
async function brokerAnswers(at: Address, clock: Clock): Promise<'answers' | 'silent'> {
  const host = at.host === '0.0.0.0' ? '127.0.0.1' : at.host === '::' ? '::1' : at.host;
  const to = { host, port: at.port };
  // The certificate names the box as clients reach it, which need not be this address.
  const socket = isLoopback(at) ? tcpConnect(to) : tlsConnect({ ...to, rejectUnauthorized: false });
  const late = new AbortController();
  const heard = Promise.withResolvers<boolean>();
  socket.once(isLoopback(at) ? 'connect' : 'secureConnect', () => socket.write(connectOfOtherVersion));
  socket.once('data', (bytes: Buffer) => heard.resolve(bytes[0] === connack));
  socket.once('error', () => heard.resolve(false));
  socket.once('close', () => heard.resolve(false));
  clock.sleep(answerMs, late.signal).then(
    () => heard.resolve(false),
    () => {},
  );
  const answered = await heard.promise;
  late.abort();
  socket.destroy();
  return answered ? 'answers' : 'silent';
}

/** Opens the address for a moment. */
function canListen({ host, port }: Address): Promise<Exclude<BrokerFound, 'answers' | 'silent'>> {
  const server = createServer();
  return new Promise(resolve => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? 'taken' : code === 'EACCES' ? 'not_allowed' : 'no_such_address'),
    );
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

/** `running`: the address that is open; null: the broker is off, or could not open its address. */
export async function tryBroker(
  listen: string,
  running: string | null,
  { listen: { events } }: Pick<Config, 'listen'>,
  clock: Clock,
): Promise<BrokerFound> {
  const at = parseAddress(listen);
  if (!at) return 'free';
  const own = parseAddress(running ?? '');
  if (own && listen === events) return brokerAnswers(own, clock);
  // Its own port is free once it restarts.
  return own && own.port === at.port ? 'free' : canListen(at);
}
