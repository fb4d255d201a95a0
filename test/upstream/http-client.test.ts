import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { issueLeaf, makeAuthority } from '../../src/operations/issuing.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { httpCaller } from '../../src/upstream/http-client.ts';
import { trustOf } from '../../src/upstream/trust.ts';

test('a connection that is kept for many calls holds nothing of those that have ended', async () => {
  const authority = await makeAuthority(realClock.now());
  const leaf = await issueLeaf(authority, { names: ['localhost'], addresses: ['127.0.0.1'] }, realClock.now());
  const server = createServer({ cert: leaf.cert, key: leaf.key }, (_, response) => response.end('{}'));
  let connections = 0;
  server.on('secureConnection', () => connections++);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const caller = httpCaller(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    trust: trustOf(authority.cert),
  });
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on('warning', note);
  try {
    for (let call = 0; call < 20; call++) expect((await caller.call('/', { method: 'GET' })).status).toBe(200);
    expect(connections).toBe(1);
    // Warnings are told in a turn of their own.
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', note);
    caller.close();
    server.close();
  }
});
