import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { Clock } from '../../runtime/clock.ts';
import { within } from '../../runtime/within.ts';
import { quoted, SendFailed } from './channel.ts';

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** tls: from the first byte (465). starttls: it is asked for, and nothing is sent without it. */
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

export interface MailConnection {
  readonly clock: Clock;
  readonly secureContext?: SecureContext | undefined;
  /** Judges the address before it is called; absent: any address may be called. */
  readonly lookup?: LookupFunction | undefined;
}

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

const connectMs = 10_000;
const greetingMs = 10_000;
const replyMs = 30_000;
/** A reply has a few lines. */
const replyBytesMax = 64 << 10;

/**
 * Sends one message by SMTP (RFC 5321) with STARTTLS (RFC 3207) and AUTH PLAIN or LOGIN (RFC 4954).
 * Resolves when the server has taken it. A password is sent over TLS only.
 */
export async function sendBySmtp(
  server: MailServer,
  { from, to }: Envelope,
  message: string,
  connection: MailConnection,
  signal: AbortSignal,
): Promise<void> {
  const { security, user, password } = server;
  await using talk = await Conversation.open(server, connection, signal);
  await talk.expect(220, 'its greeting', greetingMs);
  let features = await talk.hello();
  if (security === 'starttls') {
    if (!features.has('STARTTLS'))
      throw new SendFailed(`${server.host} does not offer STARTTLS: use port 465 with security tls`);
    await talk.ask('STARTTLS', 220, 'STARTTLS');
    await talk.secure();
    features = await talk.hello();
  }
  if (user !== undefined && password !== undefined) {
    if (security === 'none')
      throw new SendFailed(
        'a password is sent over TLS only: set security to starttls or tls, or leave out the password',
      );
    await signIn(talk, features.get('AUTH') ?? '', user, password);
  }
  await talk.ask(`MAIL FROM:<${from}>`, 250, `the sender ${from}`);
  for (const one of to) await talk.ask(`RCPT TO:<${one}>`, 250, `the recipient ${one}`);
  await talk.ask('DATA', 354, 'DATA');
  // A line that begins with a dot gets a second one; a dot alone is the end.
  await talk.ask(`${message.replace(/^\./gm, '..')}\r\n.`, 250, 'the message');
  talk.write('QUIT');
}

async function signIn(talk: Conversation, offered: string, user: string, password: string): Promise<void> {
  const mechanisms = offered.toUpperCase().split(/\s+/);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const what = `the password of ${user} (many providers want an app password or authorisation code here)`;
  if (mechanisms.includes('PLAIN')) return talk.ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 235, what);
  if (!mechanisms.includes('LOGIN'))
    throw new SendFailed(`the mail server takes neither AUTH PLAIN nor LOGIN: it offers ${quoted(offered) || 'none'}`);
  await talk.ask('AUTH LOGIN', 334, 'AUTH LOGIN');
  await talk.ask(base64(user), 334, `the user ${user}`);
  await talk.ask(base64(password), 235, what);
}

/** The lines to and from a mail server. */
class Conversation implements AsyncDisposable {
  readonly #server: MailServer;
  readonly #connection: MailConnection;
  readonly #signal: AbortSignal;
  #socket: Socket;
  #received = '';
  #error: Error | null = null;
  #arrived = Promise.withResolvers<void>();

  private constructor(server: MailServer, connection: MailConnection, signal: AbortSignal, socket: Socket) {
    this.#server = server;
    this.#connection = connection;
    this.#signal = signal;
    this.#socket = socket;
    this.#listen();
  }

  static async open(server: MailServer, connection: MailConnection, signal: AbortSignal): Promise<Conversation> {
    const { host, port, security } = server;
    const { lookup } = connection;
    // A name is looked up when it is called, an address by nobody.
    if (lookup && isIP(host) !== 0) await judged(host, lookup);
    const to = { host, port, ...(lookup ? { lookup } : {}) };
    const socket = security === 'tls' ? connectTls({ ...to, ...tlsOptions(host, connection) }) : connectPlain(to);
    try {
      await connected(socket, security === 'tls' ? 'secureConnect' : 'connect', connection.clock, server, signal);
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return new Conversation(server, connection, signal, socket);
  }

  /** EHLO; returns the extensions by name, with their parameters. */
  async hello(): Promise<Map<string, string>> {
    this.write('EHLO gatehouse');
    const lines = await this.expect(250, 'EHLO', replyMs);
    return new Map(
      lines.slice(1).map(line => {
        const [name = '', ...rest] = line.split(' ');
        return [name.toUpperCase(), rest.join(' ')];
      }),
    );
  }

  async ask(line: string, code: number, what: string): Promise<void> {
    this.write(line);
    await this.expect(code, what, replyMs);
  }

  write(line: string): void {
    this.#socket.write(`${line}\r\n`);
  }

  /** Reads one reply. Throws SendFailed for another code, with what the server said. */
  async expect(code: number, what: string, ms: number): Promise<string[]> {
    const { host } = this.#server;
    const late = () => new SendFailed(`${host}: no answer to ${what} in ${ms / 1000} s`);
    const lines = await within(ms, this.#connection.clock, this.#reply(), late, this.#signal);
    const said = lines.map(line => line.slice(4));
    if (!lines[0]!.startsWith(String(code)))
      throw new SendFailed(`${host} refuses ${what}: ${quoted(`${lines[0]!.slice(0, 3)} ${said.join(' ')}`)}`);
    return said;
  }

  /** TLS from here on. What came before it and was not asked for is an attack. */
  async secure(): Promise<void> {
    if (this.#received !== '') throw new SendFailed(`${this.#server.host} sent more than an answer before TLS`);
    this.#socket.removeAllListeners();
    const socket = connectTls({ socket: this.#socket, ...tlsOptions(this.#server.host, this.#connection) });
    this.#socket = socket;
    await connected(socket, 'secureConnect', this.#connection.clock, this.#server, this.#signal);
    this.#listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.on('error', () => {});
    this.#socket.end();
    this.#socket.destroySoon();
  }

  #listen(): void {
    const ended = (error: Error | null) => {
      this.#error ??= error ?? new SendFailed(`${this.#server.host} closed the connection`);
      this.#arrived.resolve();
    };
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', chunk => {
      this.#received += chunk;
      if (this.#received.length > replyBytesMax) ended(new SendFailed(`${this.#server.host} sends too much`));
      this.#arrived.resolve();
    });
    this.#socket.on('error', ended);
    this.#socket.on('close', () => ended(null));
  }

  /** `250-one`, `250-two`, `250 three`: the line with a blank is the last. */
  async #reply(): Promise<string[]> {
    for (;;) {
      const found = /^(?:\d{3}-[^\n]*\r?\n)*\d{3}(?: [^\n]*)?\r?\n/.exec(this.#received);
      if (found) {
        this.#received = this.#received.slice(found[0].length);
        return found[0].trimEnd().split(/\r?\n/);
      }
      if (this.#error) throw this.#error;
      if (this.#received.includes('\n') && !/^\d{3}[ -]/.test(this.#received))
        throw new SendFailed(`${this.#server.host} is no mail server: it says ${quoted(this.#received)}`);
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
    }
  }
}

const judged = (host: string, lookup: LookupFunction): Promise<void> =>
  new Promise((resolve, reject) => lookup(host, {}, error => (error ? reject(error) : resolve())));

const tlsOptions = (host: string, { secureContext }: MailConnection) => ({
  servername: /^[\d.]+$|:/.test(host) ? '' : host,
  ...(/^[\d.]+$|:/.test(host) ? { host } : {}),
  ...(secureContext ? { secureContext } : {}),
});

async function connected(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  clock: Clock,
  { host, port }: MailServer,
  signal: AbortSignal,
): Promise<void> {
  const opened = new Promise<void>((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new SendFailed(`${host}:${port} closed the connection`)));
  });
  const late = () => new SendFailed(`${host}:${port}: no connection in ${connectMs / 1000} s`);
  try {
    await within(connectMs, clock, opened, late, signal);
  } catch (error) {
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  } finally {
    socket.removeAllListeners();
  }
}
