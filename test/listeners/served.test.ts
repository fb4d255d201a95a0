import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { serveByPath } from '../../src/listeners/served.ts';
import { takesBody } from '../../src/runtime/body-bound.ts';

const answering = (name: string) => new Hono().get('*', context => context.text(name));
const served = serveByPath([
  { path: '/api/push', router: () => answering('push') },
  { path: '/api', router: () => answering('api') },
  { path: '/', router: () => answering('rest') },
]);
const ownerOf = async (path: string) => (await served.fetch(new Request(`http://box${path}`), {})).text();

test.each([
  ['/api/push', 'push'],
  ['/api/push/1', 'push'],
  ['/api/push?a=1', 'push'],
  ['/api/pushed', 'api'],
  ['/api', 'api'],
  ['/apis', 'rest'],
  ['/API/push', 'rest'],
  ['//api/push', 'rest'],
  ['/', 'rest'],
])('%s belongs to the first row that it is within: %s', async (path, owner) => {
  expect(await ownerOf(path)).toBe(owner);
});

test('a path that its owner does not know is not found, whatever the rows below serve', async () => {
  const table = serveByPath([
    { path: '/api', router: () => new Hono() },
    { path: '/', router: () => answering('rest') },
  ]);
  expect((await table.fetch(new Request('http://box/api/x'), {})).status).toBe(404);
});

test('the bound of a body is that of the route in the router that owns the path', () => {
  const large = new Hono().post(
    '*',
    takesBody(1 << 20, context => context.text('')),
  );
  const table = serveByPath([
    { path: '/file', router: () => large },
    { path: '/', router: () => answering('rest') },
  ]);
  expect(table.bound('POST', '/file?x=1').bytesMax).toBe(1 << 20);
  expect(table.bound('POST', '/other').bytesMax).toBe(64 << 10);
});

test('a table must say whose everything else is', () => {
  expect(() => serveByPath([{ path: '/api', router: () => answering('api') }])).toThrow('the last row');
});
