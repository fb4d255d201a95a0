import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { askAdvisories, readAudit } from '../../scripts/advisories.ts';

/** A registry with one advisory, or with the given answer. */
async function aRegistry(answer: (asked: Record<string, string[]>) => { status: number; body: unknown }) {
  const server = createServer(async (request, response) => {
    if (!request.url?.endsWith('/security/advisories/bulk')) return response.writeHead(404).end('{}');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const json = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const { status, body } = answer(JSON.parse(json.toString()));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const holes = {
  id: 1,
  url: 'https://advisories.example/1',
  title: 'Reads too much',
  severity: 'high',
  vulnerable_versions: '*',
};

test('a dependency that is shipped and has a known advisory is named', async () => {
  await using registry = await aRegistry(asked => ({ status: 200, body: 'hono' in asked ? { hono: [holes] } : {} }));
  expect(await askAdvisories(registry.url)).toMatchObject({
    asked: true,
    found: [{ dependency: 'hono', severity: 'high', title: 'Reads too much' }],
  });
});

test('a registry that does not answer about advisories is no registry that knows of none', async () => {
  await using registry = await aRegistry(() => ({ status: 405, body: {} }));
  expect(await askAdvisories(registry.url)).toEqual({ asked: false, why: expect.stringContaining('405') });
  for (const text of ['', '{}', '{"auditReportVersion":1}', '{"vulnerabilities":{}}', 'npm error code ENOTFOUND'])
    expect(readAudit(text), text).toMatchObject({ asked: false });
  expect(readAudit('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({ asked: true, found: [] });
});

const answer = await askAdvisories();
// Where nobody can be asked, the suite stands in the output under a name that says so, also where
// nothing else may be skipped.
(answer.asked ? describe : describe.skip)(
  `known advisories${answer.asked ? '' : ` (NOT ASKED, nothing is known of the dependencies: ${answer.why}; ask with \`npm run advisories\`)`}`,
  () => {
    test('no dependency that is shipped has one', () => {
      expect(answer).toEqual({ asked: true, found: [] });
    });
  },
);
