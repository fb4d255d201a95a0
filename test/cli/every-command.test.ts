import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { BoxProcess, run, runUntil } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';

/** One call of a command as a process of its own, and what becomes of it. */
interface Row {
  /** Arguments after the name of the command. */
  readonly words?: string | (() => string);
  readonly input?: string;
  readonly status: number;
  /** A line of standard output or, where the command fails, of standard error. */
  readonly says: RegExp;
  /** False: no data directory is named. */
  readonly ofBox?: false;
}

let box: BoxProcess;
beforeAll(async () => {
  box = await BoxProcess.start({ site: { locale: 'en' } }, aSite());
  const file = (name: string, text: string) => writeFileSync(join(box.folder, name), text);
  mkdirSync(join(box.folder, 'card'));
  file('card/gatehouse.yaml', 'site: { name: Plant 4 }\n');
  file('wrong.yaml', 'listen: { mqtts: nonsense }\n');
  file('people.csv', 'ext_id,name,mobile,department_ext_id\ne1,Li Mei,,0\n');
});
afterAll(() => box?.[Symbol.asyncDispose]());

const sign = '--device FACE-T1_A0001';
const places = '--config-dir config --data-dir settings --network-dir network';

/** In this order: some need what others before them have made. */
const rows: Readonly<Record<string, Row>> = {
  serve: { status: 1, says: /in use by process \d+: stop that one first/ },
  apply: { words: 'site.yaml', status: 0, says: /^nothing to change$/ },
  export: { status: 0, says: /product_id: FACE-T1/ },
  import: { words: 'employees people.csv', status: 0, says: /^1 rows: 1 added/ },
  'sim device': {
    words: () => `--product FACE-T1 --insecure --mqtts ${box.addresses.mqtts} --rate 50 --records 1`,
    input: productKey,
    status: 0,
    says: /^1 connected, said 1, acknowledged 1/,
    ofBox: false,
  },
  'sim cloud': { words: '--site site.yaml --mqtt 127.0.0.1:0', input: 'quit\n', status: 0, says: /^\{/, ofBox: false },
  'attendance status': { status: 0, says: /^organization +1 people/ },
  'attendance month': { words: '2026-11', status: 0, says: /^NUMBER +NAME/ },
  'attendance close': { words: '2020-01', status: 0, says: /^2020-01 is closed/ },
  'attendance sync': { status: 1, says: /this box is the authority of its organization/ },
  'attendance refused': { words: 'again 1', status: 1, says: /1: no such refused change/ },
  'attendance conflict': { words: 'dismiss 1', status: 1, says: /1: no such conflict/ },
  parity: { words: '--box https://a --against https://b', status: 2, says: /--site is missing/, ofBox: false },
  'services status': { status: 0, says: /0 files and 0 messages for the cloud/ },
  'accounts grants': { status: 0, says: /^nobody has allowed anything$/ },
  'accounts revoke': { words: '1', status: 1, says: /no such grant/ },
  'accounts sessions': { words: 'mei', status: 0, says: /^mei is logged in nowhere$/ },
  'accounts end-sessions': { words: 'mei', status: 0, says: /^0 sessions ended$/ },
  status: { status: 0, says: /^box +running, version/ },
  doctor: { words: '--config wrong.yaml', status: 1, says: /listen\.mqtts/, ofBox: false },
  support: { words: 'support.tar.gz --yes', status: 0, says: /^state\.json / },
  drill: { status: 0, says: /^no drill was made yet/ },
  'drill card': { words: '--seen 312', status: 1, says: /the box knows of no drill/ },
  'drill line': { status: 1, says: /no line to cut/ },
  'drill terminals': { words: '--end', status: 1, says: /no drill/ },
  logs: { words: '--from yesterday', status: 2, says: /write a moment such as/ },
  events: { words: '--since 12', status: 2, says: /--kind/ },
  'events programs': { status: 0, says: /`listen\.events` is off/ },
  alerts: { status: 0, says: /^no channel is set up/ },
  'alerts test': { status: 1, says: /no channel is set up/ },
  'parked list': { status: 0, says: /^nothing is parked/ },
  'parked send-again': { words: 'all', status: 0, says: /^nothing is parked$/ },
  fleet: { status: 0, says: /^no boxes below are listed here$/ },
  'recovery-key new': { status: 0, says: /^AGE-SECRET-KEY-/ },
  'recovery-key show': { status: 0, says: /^backups are encrypted to age1/ },
  backup: { words: 'kept.gh', status: 0, says: /encrypted to the recovery key/ },
  restore: { words: 'kept.gh', status: 1, says: /the box is running: stop it first/ },
  migrate: { status: 2, says: /say where to: --to postgres/ },
  'region init': { words: 'region', status: 2, says: /--machines is missing/, ofBox: false },
  qr: { words: 'FACE-T1_A0001', status: 0, says: /^https:.*\/FACE-T1_A0001\// },
  'qr-read': { words: 'https://x.example?device=FACE-T1_A0001&product=FT1', status: 0, says: /known here/ },
  labels: { words: 'FACE-T1_A0001', status: 0, says: /<html lang="en">/ },
  'trust export': { status: 0, says: /^-----BEGIN CERTIFICATE-----$/ },
  'check-config': { words: '--effective', status: 0, says: /^environment: "test"/ },
  'sign mqtt': { words: sign, input: 'key', status: 0, says: /^Password +[0-9a-f]{32}$/, ofBox: false },
  'sign psp': { words: '--app-id a', input: 'key', status: 0, says: /^sig +[0-9a-f]{32}$/, ofBox: false },
  'sign attendance': { words: '--app-key a', input: 'key', status: 0, says: /^App-Sig +[0-9a-f]{32}$/, ofBox: false },
  'sign ble': { words: `${sign} --random a1B2c3D4`, input: 'key', status: 0, says: /^signature +[0-9a-f]{8}$/ },
  'take-settings': { words: `card ${places}`, status: 0, says: /^gatehouse\.yaml: in force$/, ofBox: false },
  batch: { words: '--count 1 --out made', status: 0, says: /^made: 1 box/, ofBox: false },
  update: { words: '--status', status: 0, says: /^runs +\S+/ },
  'provision scan': { words: '--seconds 1', status: 1, says: /is off/ },
  'provision info': { words: 'FACE-T1_A0001', status: 1, says: /is off/ },
  'provision verify': { words: 'FACE-T1_A0001', status: 1, says: /over Bluetooth alone/ },
  'provision wifi': { words: 'FACE-T1_A0001 --ssid Plant', input: 'key-of-it', status: 1, says: /is off/ },
  'provision results': { status: 0, says: /^no device has announced a result$/ },
  'user add': { words: 'li', input: 'nobody-guesses-this', status: 0, says: /^li may sign in as viewer$/ },
  'user role': { words: 'li --role staff', status: 0, says: /^li has the role staff$/ },
  'user passwd': { words: 'li', input: 'another-good-one', status: 0, says: /^li has a new password/ },
  'user list': { status: 0, says: /^li +staff/ },
  'user rm': { words: 'li', status: 0, says: /^li is removed/ },
  'token create': { words: '--role viewer', status: 0, says: /^[\w-]{40,}$/ },
  'token list': { status: 0, says: /^1 .* viewer/ },
  'token rm': { words: '1', status: 0, says: /^token 1 has ended$/ },
  'audit verify': { status: 0, says: /^the audit log holds/ },
  'audit export': { status: 0, says: /POST \/tokens/ },
  statement: { status: 1, says: /no day has been stated yet/ },
  'statement verify': { status: 0, says: /^there are no statements yet$/ },
  receipt: { words: '1', status: 0, says: /^on the disk +received/ },
  setup: { status: 0, says: /^set-up +off: provisioning\.wifi is off/ },
  reset: { status: 2, says: /say what is reset: --network or --all/ },
  version: { status: 0, says: /^gatehouse \d+\.\d+\.\d+ /, ofBox: false },
  help: { words: 'serve', status: 0, says: /^usage: gatehouse serve/, ofBox: false },
  completion: { words: 'bash', status: 0, says: /complete .*gatehouse/, ofBox: false },
};

/** Commands that run until somebody ends them, and the first line of each. */
const endless: Readonly<Record<string, RegExp>> = { demo: /^Gatehouse demo: a box, a simulated cloud/m };

test('the rows are the commands of the table', () => {
  expect(Object.keys({ ...rows, ...endless }).sort()).toEqual(commands.map(({ name }) => name).sort());
});

test.each(Object.entries(rows))('gatehouse %s', async (name, { words = '', input = '', status, says, ofBox }) => {
  const follow = (typeof words === 'string' ? words : words()).split(' ').filter(Boolean);
  const place = ofBox === false ? [] : ['--data-dir', box.dataDir];
  const outcome = await run([...name.split(' '), ...follow, ...place], { input, cwd: box.folder });
  expect(outcome).toMatchObject({ status });
  const said = status === 0 ? outcome.stdout : `${outcome.stdout}${outcome.stderr}`;
  expect(said).toMatch(new RegExp(says.source, 'm'));
});

test.each(Object.entries(endless))('gatehouse %s', async (name, says) => {
  await runUntil(name.split(' '), says, { cwd: box.folder, env: { TMPDIR: box.folder } });
});
