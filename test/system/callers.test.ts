import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BoxProcess } from '../support/program.ts';
import { shell } from '../support/shell.ts';
import { aSite } from '../support/site.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';

/**
 * Callers of the attendance API whose language makes the mistake: what PHP, Go, Java, Python and
 * curl send by themselves, and what the box makes of it.
 */

/** In base64 `+/++`: the signs that other alphabets and forms of addresses change. */
const feature = 'fbffbe';

let box: BoxProcess;
let trust: string;
beforeAll(async () => {
  box = await BoxProcess.start(
    {},
    aSite({
      attendance_callers: [{ app_key: 'ak1', app_secret: 'as1' }],
      employees: ['e1', 'e2'].map(ext_id => ({ ext_id, name: 'Li Mei', department: { ext_id: '0' } })),
      departments: [{ ext_id: '0', name: 'Plant 4' }],
    }),
  );
  trust = join(box.folder, 'trust.pem');
  await box.ask('trust', 'export', '--edition', 'slim', '--out', trust);
}, 120_000);
afterAll(() => box?.[Symbol.asyncDispose]());

/** Each line that the program prints is what the box answered to one call. */
async function answersTo(file: string, command: string) {
  const folder = join(box.folder, file.toLowerCase().replace('.', '-'));
  await mkdir(folder);
  await copyFile(new URL(`callers/${file}`, import.meta.url), join(folder, file));
  const { status, said } = await shell(command, folder, {
    URL: `https://${box.addresses.https}`,
    CA: trust,
    FEATURE: feature,
    GOCACHE: join(box.folder, 'go-build'),
  });
  expect(status, said).toBe(0);
  return said
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { code: number; msg: string; data?: Record<string, unknown> });
}

const isEmpty = { code: 0 };
const isSpoiled = { code: 0, data: { error_ext_ids: ['e1'] } };
const isIn = (encoding: string) => ({ code: 106, msg: expect.stringContaining(encoding) });
/** Of a body with a Content-Encoding: HTTP 415 and this. */
const isPacked = { code: 106, msg: expect.stringContaining('gzip') };

suiteWhere(hasTool('php'), 'needs php: apt-get install php-cli', 'a caller in PHP', () => {
  test('an empty array is a body without fields; blanks in base64, GBK and gzip are named', async () => {
    expect(await answersTo('call.php', 'php call.php')).toMatchObject([
      ...[isEmpty, isEmpty, isSpoiled],
      ...[isIn('GBK'), isPacked],
    ]);
  });
});

suiteWhere(hasTool('go'), 'needs go: apt-get install golang-go', 'a caller in Go', () => {
  test('a nil map is a body without fields; base64 without its end and gzip are named', async () => {
    const answers = await answersTo('call.go', 'go run call.go');
    expect(answers).toMatchObject([isEmpty, isEmpty, isSpoiled, { code: 106 }, isPacked]);
    // A nil slice in the place of a list that is needed.
    expect(answers[3]!.msg).toMatch(/: users: is missing$/);
  }, 120_000);
});

suiteWhere(hasTool('javac'), 'needs javac: apt-get install default-jdk-headless', 'a caller in Java', () => {
  test('null is a body without fields; the alphabet for addresses, ISO 8859-1 and UTF-16 are named', async () => {
    expect(await answersTo('Call.java', 'java Call.java')).toMatchObject([
      ...[isEmpty, { code: 0, data: { error_ext_ids: [] } }, isSpoiled],
      ...[isIn('windows-1252'), isIn('UTF-16'), isIn('GBK')],
    ]);
  }, 120_000);
});

suiteWhere(hasTool('python3'), 'needs python3: apt-get install python3', 'a caller in Python', () => {
  test('None is a body without fields, a mark is read past; what else it may write is named', async () => {
    expect(await answersTo('call.py', 'python3 call.py')).toMatchObject([
      ...[isEmpty, isSpoiled, isEmpty],
      ...[isIn('GBK'), isIn('UTF-16'), { code: 106 }, isPacked],
    ]);
  });
});

suiteWhere(hasTool('curl'), 'needs curl: apt-get install curl', 'a caller with curl', () => {
  test('no body, a form that is JSON and Expect are taken; GBK is named', async () => {
    expect(await answersTo('call.sh', 'sh call.sh')).toMatchObject([
      ...[isEmpty, isEmpty, isEmpty],
      ...[isIn('GBK'), isIn('GBK')],
    ]);
  });
});
