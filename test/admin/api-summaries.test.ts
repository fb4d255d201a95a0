import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import golden from './openapi.golden.json' with { type: 'json' };

const sourceOf = (name: string) =>
  readFileSync(new URL(`../../web-ui/src/pages/docs/${name}.ts`, import.meta.url), 'utf8');
const keysOf = (name: string) => [...sourceOf(name).matchAll(/^ {2}'([A-Z]+ \/\S+)':/gm)].map(([, key]) => key!);

test('the page of the APIs says in Chinese what each call does, and knows no call that is gone', () => {
  const calls = Object.entries(golden.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  );
  const said = [...keysOf('admin-summaries').map(call => call.replace(' /', ' /admin/v1/')), ...keysOf('summaries')];
  expect(calls.length).toBeGreaterThan(150);
  expect(said.toSorted()).toEqual(calls.toSorted());
});
