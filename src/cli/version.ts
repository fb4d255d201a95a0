import { programVersion } from '../platform/version.ts';
import { flag, type Run } from './command.ts';

export const version: Run = async call => {
  const node = process.versions.node;
  const target = `${process.platform}-${process.arch}`;
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ version: programVersion, node, target })}\n`);
  await call.print(`gatehouse ${programVersion} (node ${node}, ${target})\n`);
  if (flag(call, 'licences')) await call.print(licences);
};

/** What is bundled into the program. */
const licences = `
gatehouse                  Apache-2.0
node                       MIT, and those of its parts
aedes, mqtt, mqtt-packet   MIT
hono, @hono/node-server,
  @hono/zod-openapi        MIT
zod                        MIT
yaml                       ISC
pino                       MIT
uqr                        MIT
drizzle-orm                Apache-2.0
@peculiar/x509             MIT
`;
