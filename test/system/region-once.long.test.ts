import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../support/gateway.ts';
import { postgresOfFile, suiteWithPostgres } from '../support/postgres.ts';
import type { BoxProcess } from '../support/program.ts';
import { portal, ServiceCaller } from '../support/services.ts';
import { aSite } from '../support/site.ts';
import { WatchedProcesses } from '../support/watched-processes.ts';

const site = { ...aSite(), apps: [portal], message_templates: [{ template: 'late', title: 'Late', body: 'Late' }] };

/** Two processes, and the directory that they share. */
async function twoProcesses(postgres: Awaited<ReturnType<ReturnType<typeof postgresOfFile>>>, config: object = {}) {
  await using parts = new AsyncDisposableStack();
  const files = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
  parts.defer(() => rm(files, { recursive: true, force: true }));
  const configOf = () => ({ ...config, store: { files } });
  const watched = parts.use(await WatchedProcesses.start(postgres, { count: 2, site, configOf }));
  const held = parts.move();
  const [one, other] = watched.processes as [BoxProcess, BoxProcess];
  return { watched, one, other, files, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

async function call(box: BoxProcess, path: string, body?: string | Uint8Array, type = 'application/json') {
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const headers = {
    ...new ServiceCaller('', Date.now, portal).signature(randomBytes(3).toString('hex')),
    ...(body === undefined ? {} : { 'content-type': type }),
  };
  return ask(`https://${box.addresses.https}${path}`, { ca, headers, ...(body === undefined ? {} : { body }) });
}

suiteWithPostgres('what a region does once and shows everywhere', () => {
  const postgres = postgresOfFile();

  test('a file that one process took is read through the other, also after it was killed', async () => {
    await using region = await twoProcesses(await postgres());
    const { one, other } = region;
    const bytes = randomBytes(3 << 20);
    const upload = await call(
      one,
      '/api/v1.0.0/file?client=A0001&public=true&name=a.bin',
      bytes,
      'application/octet-stream',
    );
    expect(upload.json).toMatchObject({ code: 0, data: { public_url: expect.any(String) } });
    const { file_id: fileId, public_url: link } = upload.json.data as { file_id: string; public_url: string };
    const path = new URL(link).pathname;
    for (const process of [other, one]) {
      expect((await call(process, `/api/v1.0.0/file/${fileId}`)).json).toMatchObject({ data: { file_id: fileId } });
      const { status, headers } = await call(process, path);
      expect(status).toBe(200);
      expect(headers.etag).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
    }
    // One that starts again beside the other leaves alone what is there.
    await region.watched.restart(one, 'kill9');
    expect((await call(one, path)).status).toBe(200);
    expect(await other.ask('status')).not.toContain('files are known to one process only');
  });
});
