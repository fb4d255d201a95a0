import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAdmin } from '../../src/admin-client/index.ts';
import { socketFile } from '../../src/runtime/socket-path.ts';

/** What answers at the socket of a data directory, and ends as `answer` says. */
async function aBoxThat(dataDir: string, answer: RequestListener): Promise<Disposable> {
  const server = createServer(answer).listen(socketFile(dataDir));
  await once(server, 'listening');
  return { [Symbol.dispose]: () => void server.close() };
}

test.each<[string, RequestListener]>([
  ['before it answers', (_, answer) => answer.destroy()],
  [
    'in the middle of its answer',
    (_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
      answer.write('{"device_id":"a"}\n', () => answer.destroy());
    },
  ],
])('that the box ended %s is said, with what to do', async (_, answer) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'gatehouse-ended-'));
  using _box = await aBoxThat(folder.path, answer);
  await using admin = (await connectAdmin(folder.path))!;
  const ended = { name: 'BoxEnded', message: expect.stringContaining('try again'), code: 'ECONNRESET' };
  await expect(admin.get('/status')).rejects.toMatchObject(ended);
  const readRows = async () => {
    for await (const _row of admin.lines('get', '/export/{what}', { what: 'logs' }));
  };
  await expect(readRows()).rejects.toMatchObject(ended);
});
