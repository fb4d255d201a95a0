import { describe, expect, test } from 'vitest';
import { type NamedText, textsOf } from '../support/house/identifiers.ts';
import { filesOf, textOf } from '../support/house/sources.ts';

const [terms = '', sentences = ''] = textOf('docs/glossary.md').split('\n## Terms\n')[1]!.split('\n## Sentences\n');
const rows = terms.split('\n').filter(line => line.startsWith('| ') && !line.startsWith('| English'));
const formsIn = (text: string, mark: RegExp): string[] => [...text.matchAll(mark)].map(([, form]) => form!);
/** Old forms of a term, and of whole sentences: their only list is the page. */
const given = [
  ...rows.flatMap(row => formsIn(row.split('|').at(-2)!, /`([^`]+)`/g)),
  ...formsIn(sentences, /\*([^*]+)\*/g),
];

const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** Words that need a neighbour, or begin an example, where they come first. */
const begins = /^(?:It|They|These|Made|Such) |^例如$/;
function formIn(form: string): RegExp {
  const escaped = form.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const text = escaped.replace(/^[a-z]/, first => `[${first}${first.toUpperCase()}]`);
  if (begins.test(form)) return new RegExp(`^${text}`);
  return isChinese(form) ? new RegExp(text) : new RegExp(`(?<!\\w)${text}(?!\\w)`);
}
const forms = given.map(form => [form, formIn(form)] as const);

/** Names of what is a status, a title or a label. */
const isPhrase = (name: string): boolean =>
  /^(?:title|caption|label|called|sentence|none|state|many|go)$|(?:Title|Caption|Label|State)$/.test(name);

/** Why a text is not written so; empty: it is. */
const faultsOf = ({ name, text }: NamedText): string[] => [
  ...forms.filter(([, form]) => form.test(text)).map(([form]) => form),
  ...(isPhrase(name) && /^[^.。]*[.。]$/.test(text) ? ['a full stop'] : []),
];

/** Codes have no blank and no capital. */
const isSaid = (text: string): boolean => isChinese(text) || /^\p{Lu}|\S \S/u.test(text);

/** Pages, alerts, and what else is called words; commands speak of the box. */
const files = [
  ...['web-ui/src', 'src/platform/alert-words', 'src/words'].flatMap(filesOf),
  ...filesOf('src').filter(file => /words\.ts$/.test(file) && !file.startsWith('src/cli/')),
];

describe('the words of pages, alerts and sentences', () => {
  test.each(files)('%s says nothing in a form that was given up', file => {
    const said = textsOf(textOf(file)).filter(({ text }) => isSaid(text));
    expect(said.flatMap(one => faultsOf(one).map(fault => `${fault}: ${one.text}`))).toEqual([]);
  });

  test.each(given)('the form "%s" would be found', form => {
    const text = begins.test(form) ? `${form} …` : isChinese(form) ? `今日${form}三台` : `now ${form} again`;
    expect(faultsOf({ name: 'hint', text })).toContain(form);
  });

  test('the full stop of a title, a status or an empty list would be found, that of a sentence is right', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program.
    const texts = textsOf("area({ title: 'Devices.', none: n => (n ? `${n} left.` : 'None.'), hint: 'Use a disk.' })");
    expect(texts.map(one => [one.text, faultsOf(one)])).toEqual([
      ['Devices.', ['a full stop']],
      ['… left.', ['a full stop']],
      ['None.', ['a full stop']],
      ['Use a disk.', []],
    ]);
  });
});

test('each term has both languages, and stands once', () => {
  expect(rows.length).toBeGreaterThanOrEqual(40);
  const names = rows.map(row =>
    row
      .split('|')
      .slice(1, 3)
      .map(cell => cell.trim()),
  );
  for (const [english, chinese] of names) {
    expect(english).toMatch(/^[A-Z][A-Za-z …,-]+$|^[a-zA-Z, -]+$/);
    expect(chinese).toMatch(/\p{Script=Han}/u);
  }
  expect(new Set(names.map(([english]) => english)).size).toBe(rows.length);
});
