import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AttendanceCaller } from './support/attendance.ts';
import { BoxProcess } from './support/program.ts';
import { shell } from './support/shell.ts';
import { aSite, productKey } from './support/site.ts';
import { HttpTerminal } from './support/terminal.ts';
import { hasTool, suiteWhere } from './support/tools.ts';
import { until } from './support/until.ts';

/** The programs of the integrator's guide are run as they stand there, against a running box. */

const guide = await readFile(fileURLToPath(new URL('../docs/attendance.md', import.meta.url)), 'utf8');
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(guide)![1]!;

const caller = { app_key: 'ak1', app_secret: 'as1' };
let box: BoxProcess;
let terminal: HttpTerminal;
let trust: string;
beforeAll(async () => {
  box = await BoxProcess.start(
    {},
    aSite({
      attendance_callers: [caller],
      employees: [{ ext_id: 'e1', name: 'Li Mei', employee_num: '1', department: { ext_id: '0' } }],
      departments: [{ ext_id: '0', name: 'Plant 4' }],
    }),
  );
  trust = join(box.folder, 'trust.pem');
  await box.ask('trust', 'export', '--edition', 'slim', '--out', trust);
  const ca = await readFile(trust, 'utf8');
  const url = `https://${box.addresses.https}`;
  const payroll = new AttendanceCaller(url, Date.now, caller.app_key, caller.app_secret, { ca });
  expect(await payroll.run('checkin_query_init')).toMatchObject({ code: 0 });
  terminal = new HttpTerminal({ deviceId: 'FACE-T1_A0001', key: productKey }, url, ca);
  await terminal.connect();
});
afterAll(async () => {
  terminal?.end();
  await box?.[Symbol.asyncDispose]();
});

let punched = 0;
/** Answers what a program is to print of them. */
async function punches(count: number): Promise<string> {
  const times = Array.from({ length: count }, () => 1_763_600_000 + punched++);
  const records = times.map(time => ({ ext_id: 'e1', check_type: 'fa', check_time: time }));
  await terminal.ask('/api/push/FACE-T1_A0001', {
    method: 'POST',
    body: JSON.stringify({
      mid: `m${punched}`,
      from: 'FACE-T1_A0001',
      to: 'system',
      time: 0,
      action: 2001,
      data: { records },
    }),
  });
  await until('the tables have them', async () => (await box.export('checkins')).length === punched);
  return times.map(time => `e1 ${time} fa\n`).join('');
}

test('the signatures to compare with are those of SPEC 5.7', () => {
  const rows = [...guide.matchAll(/^\| `(\/v2\.0\/\S+)` \| (\d{13}) \| `(\w{32})` \|$/gm)];
  expect(rows).toHaveLength(3);
  for (const [, path, timestamp, sig] of rows)
    expect(createHash('md5').update(`${path}${timestamp}ak1as1`).digest('hex')).toBe(sig);
});

suiteWhere(hasTool('curl'), 'needs curl: apt-get install curl', 'the cookbook in curl', () => {
  test('every call is answered with code 0', async () => {
    const script = block('sh').replaceAll('8443', String(box.port('https')));
    const { status, said } = await shell(script, box.folder);
    expect(status, said).toBe(0);
    expect(said.match(/"code":\d+/g)).toEqual(Array(5).fill('"code":0'));
    expect(said).toContain('Li Mei');
  });
});

test('the signature of the public services to compare with is that of SPEC 5.6', async () => {
  const text = await readFile(fileURLToPath(new URL('../docs/services.md', import.meta.url)), 'utf8');
  const sig = /timestamp 1763600000000: `(\w{32})`/.exec(text)![1];
  const signed = 'app_id=hr-portal&app_key=k1&nonce=abc123&timestamp=1763600000000';
  expect(createHash('md5').update(signed).digest('hex')).toBe(sig);
});

suiteWhere(hasTool('curl'), 'needs curl: apt-get install curl', 'the guide to the public services', () => {
  test('every call is answered with code 0', async () => {
    await using own = await BoxProcess.start(
      {},
      {
        apps: [{ app_id: 'hr-portal', app_key: 'k1' }],
        message_templates: [{ template: 'late', body: '{{name}} is late' }],
      },
    );
    await own.ask('trust', 'export', '--edition', 'slim', '--out', join(own.folder, 'trust.pem'));
    const text = await readFile(fileURLToPath(new URL('../docs/services.md', import.meta.url)), 'utf8');
    const script = /^```sh\n([\s\S]*?)^```/m.exec(text)![1]!.replaceAll('8443', String(own.port('https')));
    const { status, said } = await shell(script, own.folder);
    expect(status, said).toBe(0);
    expect(said.match(/"code":\d+/g)).toEqual(Array(5).fill('"code":0'));
  });
});

const programs = [
  ['Python', 'python', 'python3', 'python3', 'pull.py', 'python3 pull.py'],
  ['Java', 'java', 'javac', 'default-jdk-headless', 'Pull.java', 'java Pull.java'],
  ['Go', 'go', 'go', 'golang-go', 'pull.go', 'go run pull.go'],
] as const;

for (const [name, language, tool, debianPackage, file, command] of programs)
  suiteWhere(hasTool(tool), `needs ${tool}: apt-get install ${debianPackage}`, `the cookbook in ${name}`, () => {
    test('pulls every check-in once, and the next time what came since', async () => {
      const folder = join(box.folder, language);
      await mkdir(folder);
      await writeFile(join(folder, file), block(language));
      const environment = {
        URL: `https://${box.addresses.https}`,
        APP_KEY: caller.app_key,
        APP_SECRET: caller.app_secret,
        CA: trust,
        // What a program of Go keeps between builds stays with the test.
        GOCACHE: join(box.folder, 'go-build'),
      };
      const pull = () => shell(command, folder, environment);
      await punches(2);
      const all = (await box.export<{ check_time: number }>('checkins'))
        .map(one => `e1 ${one.check_time} fa\n`)
        .join('');
      expect(await pull()).toEqual({ status: 0, said: all });
      const since = await punches(3);
      expect(await pull()).toEqual({ status: 0, said: since });
      expect(await pull()).toEqual({ status: 0, said: '' });
    });
  });
