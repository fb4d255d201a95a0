import { expect, test } from 'vitest';
import { type OpenApi, operationsOf, shapeOf } from '../../web-ui/src/pages/docs/document.ts';
import { allTexts } from '../../web-ui/src/pages/docs/texts/all.ts';
import golden from './openapi.golden.json' with { type: 'json' };

/** What the page Documentation shows of the document, as it asks for its words. */
function shownTexts(): Set<string> {
  const document = golden as unknown as OpenApi;
  const shown = new Set<string>();
  const say = (text: string) => {
    if (text !== '') shown.add(text);
    return text;
  };
  for (const { parameters = [], requestBody, responses = {} } of operationsOf(document)) {
    for (const { schema, description } of parameters) {
      shapeOf(schema, document, say);
      say(description ?? schema?.description ?? '');
    }
    for (const { schema } of Object.values(requestBody?.content ?? {})) shapeOf(schema, document, say);
    for (const [status, { description, content = {} }] of Object.entries(responses)) {
      say(description ?? '');
      if (status === '200') for (const { schema } of Object.values(content)) shapeOf(schema, document, say);
    }
  }
  return shown;
}

test('the page of the APIs says in Chinese what each parameter, field and answer is', () => {
  const shown = shownTexts();
  expect(shown.size).toBeGreaterThan(500);
  expect([...shown].filter(text => !Object.hasOwn(allTexts, text))).toEqual([]);
});
