import { expect, test } from 'vitest';
import { aServiceBox } from '../../support/services.ts';

test('requests are listed by the path of the API, without what was asked for', async () => {
  await using box = await aServiceBox();
  await box.caller.call('/api/1.0.0/holiday/day?date=2026-10-01');
  await box.caller.call('/api/v1.0.0/file/file-of-mei');
  await box.caller.call('/api/v1.0.0/file/file-of-li');
  await box.caller.call('/api/1.0.0/holiday?year=mei');
  await box.caller.call('/api/1.0.0/app-upgrade/%E0mei?version=1');
  const listed = box.services.requests();
  const of = { caller: 'hr-portal', identified: true, method: 'GET' };
  expect(listed).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...of, path: '/api/1.0.0/holiday/day', status: 200, code: 0, why: null }),
      expect.objectContaining({ ...of, path: '/api/1.0.0/file/{fileId}', status: 200, code: 404, count: 2 }),
      expect.objectContaining({ ...of, path: '/api/1.0.0/holiday', status: 400, code: 400 }),
    ]),
  );
  // Rejected ones first.
  expect(listed.at(-1)).toMatchObject({ why: null });
  expect(JSON.stringify(listed)).not.toMatch(/mei|of-li/);
  const [last] = [...box.services.uses().values()];
  expect(last).toMatchObject({ call: '/api/1.0.0/app-upgrade/*' });
});
