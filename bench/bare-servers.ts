import { end, freePort, pinned, root, serverCore, temporaryFolder } from './machine.ts';
import { certificate, type KeyKind, listening, type Server } from './servers.ts';

/** The floors of the machine: what Node's own servers take for the same load. */

/** The node:https server of the bar: parses the JSON and writes nothing. */
export const startBareHttp = (): Promise<Server> =>
  startBare('bare node:https', 'https', 'ECDSA', (port, pair) => [
    `${root}bench/bare-http.ts`,
    String(port),
    pair.cert,
    pair.key,
  ]);

/** Sockets of `node:net` or `node:tls` that acknowledge what devices send, and do nothing else. */
export const startBareMqtt = (listener: 'plain' | KeyKind): Promise<Server> =>
  listener === 'plain'
    ? startBare('bare node:net', 'mqtt', 'ECDSA', port => [broker, JSON.stringify({ port })])
    : startBare('bare node:tls', 'mqtts', listener, (port, pair) => [broker, JSON.stringify({ port, pair })]);

const broker = `${root}bench/acknowledging-broker.ts`;

async function startBare(
  name: string,
  listener: 'mqtt' | 'mqtts' | 'https',
  kind: KeyKind,
  words: (port: number, pair: { cert: string; key: string }) => string[],
): Promise<Server> {
  const folder = await temporaryFolder();
  const pair = certificate(folder.path, kind);
  const port = await freePort();
  const begun = performance.now();
  const child = pinned(serverCore, `${root}bin/node`, words(port, pair));
  await listening(port, child.said);
  return {
    name,
    pid: child.pid!,
    dataDir: '',
    ports: { mqtt: 0, mqtts: 0, https: 0, [listener]: port },
    startedInMs: performance.now() - begun,
    [Symbol.asyncDispose]: async () => {
      await end(child, 'SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}
