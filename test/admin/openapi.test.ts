import { expect, test } from 'vitest';
import { aBoxWithEveryListener } from '../support/every-listener.ts';

/**
 * `openapi.golden.json` is what integrators build on: a change of it is a change of the API.
 * Renew it with `npx vitest run --project parts test/admin/openapi.test.ts -u`, and read the diff.
 */
test('/openapi.json says what openapi.golden.json holds', async () => {
  await using running = await aBoxWithEveryListener();
  const answer = await running.box.served.https.fetch(new Request('https://box/openapi.json'), {});
  const { info, paths, ...rest } = (await answer.json()) as { info: object; paths: Record<string, object> };
  const document = { info: { ...info, version: '' }, ...rest, paths: sorted(paths) };
  await expect(`${JSON.stringify(document, null, 1)}\n`).toMatchFileSnapshot('openapi.golden.json');
});

/** Where a route is registered in the code says nothing to an integrator. */
const sorted = (paths: Record<string, object>) =>
  Object.fromEntries(Object.entries(paths).toSorted(([one], [other]) => (one < other ? -1 : 1)));
