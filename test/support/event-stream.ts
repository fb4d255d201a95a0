import { request } from 'node:https';
import type { Target } from './every-caller.ts';

export interface StreamMessage {
  readonly event: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
}

/** Reads a stream of server-sent events, as a browser does. */
export async function aStream({ address, ca }: Target, path: string, headers: Record<string, string>) {
  const messages: StreamMessage[] = [];
  let hasEnded = false;
  let text = '';
  const [host, port] = address.split(':');
  const outgoing = request({ host, port, path: `/admin/v1${path}`, headers, agent: false, ...(ca ? { ca } : {}) });
  outgoing.on('error', () => {});
  const status = await new Promise<number>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', answer => {
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const whole = text.split('\n\n');
        text = whole.pop()!;
        for (const one of whole) if (!one.startsWith(':')) messages.push(messageIn(one));
      });
      answer.on('close', () => {
        hasEnded = true;
      });
      resolve(answer.statusCode!);
    });
    outgoing.end();
  });
  return {
    status,
    messages,
    ofKind: (kind: string) => messages.filter(({ event }) => event === kind),
    get lastId() {
      return messages.at(-1)?.id ?? '';
    },
    get hasEnded() {
      return hasEnded;
    },
    [Symbol.dispose]: () => outgoing.destroy(),
  };
}

function messageIn(text: string): StreamMessage {
  const fields = Object.fromEntries(
    text.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return { event: fields.event ?? '', id: fields.id ?? '', data: JSON.parse(fields.data ?? 'null') };
}
