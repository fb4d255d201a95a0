import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { aCertificate } from './certificate.ts';
import { suiteWhere } from './tools.ts';

const script = fileURLToPath(new URL('mail-server.py', import.meta.url));
/** Debian's own, which has Debian's packages. */
const python = '/usr/bin/python3';

/** A suite that needs a real mail server; named as skipped where Debian's is not installed. */
export function suiteWithMail(name: string, body: () => void): void {
  const has = spawnSync(python, ['-c', 'import aiosmtpd']).status === 0;
  suiteWhere(has, 'needs aiosmtpd: apt-get install python3-aiosmtpd', name, body);
}

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly tls: boolean;
  readonly user: string | null;
  /** As it went over the line. */
  readonly text: string;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** What a sender has to trust. */
  readonly ca: string;
  readonly caFile: string;
  readonly mails: readonly Mail[];
}

export const mailUser = 'box@plant.example';
export const mailPassword = 'right-password';

/**
 * `starttls` offers AUTH PLAIN and LOGIN after STARTTLS, `login` only LOGIN; `tls` speaks TLS from
 * the first byte; `none` wants no password and has no TLS.
 */
export async function aMailServer(mode: 'starttls' | 'login' | 'tls' | 'none' = 'starttls'): Promise<MailServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-mail-'));
  const { ca, cert, key } = await aCertificate();
  const file = join(folder, 'server.pem');
  const caFile = join(folder, 'ca.pem');
  await writeFile(file, `${cert}\n${key}`, { mode: 0o600 });
  await writeFile(caFile, ca);
  const child = spawn(python, [script, mode, file, mailUser, mailPassword], { stdio: ['ignore', 'pipe', 'ignore'] });
  const mails: Mail[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      const said = JSON.parse(line) as { port: number } | Mail;
      if ('port' in said) resolve(said.port);
      else mails.push(said);
    });
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`the mail server ended with ${code}`)));
  });
  return {
    ...{ port, ca, caFile, mails },
    async [Symbol.asyncDispose]() {
      child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The headers and the text of a mail, as a person reads them. */
export function readMail({ text }: Mail): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const [head = ''] = text.replaceAll('\r\n', '\n').split('\n\n');
  const headers = head
    .replace(/\n /g, ' ')
    .split('\n')
    .map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), decoded(line.slice(line.indexOf(':') + 2))] as const);
  return {
    headers: Object.fromEntries(headers),
    body: Buffer.from(text.slice(text.indexOf('\r\n\r\n')), 'base64').toString('utf8'),
  };
}

const decoded = (header: string): string =>
  header
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?B\?([^?]*)\?=/gi, (_all, word: string) => Buffer.from(word, 'base64').toString('utf8'));
