import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchedPackages } from '../scripts/fetched-package.ts';
import { embeddedFile, embeddedMigrations, releases } from '../scripts/migrations.ts';
import { configKeys } from '../src/config/index.ts';
import { limits } from '../src/platform/limits.ts';
import { refusalTexts } from '../src/words/refusals.ts';
import { circles, circlesBelow } from './support/house/circles.ts';
import { unusedExports } from './support/house/exports.ts';
import { filesOf, importsOf, root, textOf } from './support/house/sources.ts';

/**
 * The house of ARCHITECTURE.md, held: which way imports point, what nobody calls, and that nothing
 * lies about.
 */

const files = ['src', 'tools'].flatMap(filesOf);
const imports = files.flatMap(importsOf);
const filesOfUi = filesOf('web-ui/src');

/** `platform`, `store`, … the folder at the top of `src/`; `tools` beside it. */
const roomOf = (file: string): string => (file.startsWith('tools/') ? 'tools' : file.split('/')[1]!);

/** What every room may use: plain parts of any program, SPEC's language, sentences. */
const floor = ['runtime', 'platform', 'words'];
/** What a box is made of: none of them imports another. */
const domains = [
  'devices',
  'upstream',
  'attendance',
  'accounts',
  'services',
  'provisioning',
  'operations',
  'updates',
  'alerts',
  'backups',
  'events',
];

const mayImport: Readonly<Record<string, readonly string[]>> = {
  runtime: ['words'],
  words: [],
  platform: ['runtime', 'words'],
  'mqtt-wire': [],
  listeners: floor,
  config: floor,
  store: [...floor, 'config'],
  bus: floor,
  devices: [...floor, 'mqtt-wire', 'store'],
  upstream: [...floor, 'mqtt-wire', 'store'],
  attendance: [...floor, 'store'],
  accounts: [...floor, 'store'],
  services: [...floor, 'store'],
  provisioning: [...floor, 'store', 'bus'],
  operations: [...floor, 'store'],
  updates: [...floor, 'bus'],
  standing: floor,
  alerts: [...floor, 'config', 'standing', 'store'],
  backups: [...floor, 'config', 'store'],
  events: [...floor, 'store'],
  'admin-client': ['runtime', 'admin'],
  admin: [...floor, 'config', 'standing', 'store', ...domains],
  box: [...floor, 'config', 'standing', 'store', 'listeners', ...domains, 'admin'],
  cli: [...floor, 'config', 'store', ...domains, 'admin', 'admin-client', 'box', 'tools'],
  tools: [...floor, 'config', 'operations', 'upstream', 'admin', 'box', 'cli'],
};

test('every room stands in the table of ARCHITECTURE.md, and they are few enough to be drawn', () => {
  const rooms = [...new Set(files.map(roomOf))];
  expect(rooms.length).toBeLessThan(26);
  expect(rooms.filter(room => !(room in mayImport))).toEqual([]);
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  for (const room of rooms) expect(architecture).toContain(`\`${room === 'tools' ? room : `src/${room}`}/\``);
});

test('imports point the way that ARCHITECTURE.md allows', () => {
  const wrong = imports.filter(
    ({ from, to }) => roomOf(from) !== roomOf(to) && !mayImport[roomOf(from)]!.includes(roomOf(to)),
  );
  expect(wrong).toEqual([]);
});

test('the program knows of the tools in its table of commands alone, and the simulators know nothing of the program', () => {
  const known = imports.filter(({ from, to }) => !from.startsWith('tools/') && to.startsWith('tools/'));
  expect(known.map(({ from, to }) => `${from}: ${to}`)).toEqual(['src/cli/commands.ts: tools/commands.ts']);
  const ofSimulators = imports.filter(({ from }) => from.startsWith('tools/sim/'));
  expect(ofSimulators.length).toBeGreaterThan(100);
  expect(ofSimulators.filter(({ to }) => !/^(tools\/sim|src\/runtime|src\/platform)\//.test(to))).toEqual([]);
});

test('the client of the admin API has types of the box alone, so that a command loads nothing of it', () => {
  const wrong = imports.filter(
    ({ from, to, typesOnly }) => roomOf(from) === 'admin-client' && roomOf(to) === 'admin' && !typesOnly,
  );
  expect(wrong).toEqual([]);
});

test('the store, alerts and backups have types of the config alone: the shapes that its schemas check', () => {
  const rooms = new Set(['store', 'alerts', 'backups']);
  const wrong = imports.filter(
    ({ from, to, typesOnly }) => rooms.has(roomOf(from)) && roomOf(to) === 'config' && !typesOnly,
  );
  expect(wrong).toEqual([]);
});

test('passwords have one strength in the program, and only one file says it', () => {
  // Every value of the type `HashStrength` says its lanes.
  expect(files.filter(file => /\bparallelism\b/.test(textOf(file)))).toEqual(['src/accounts/passwords.ts']);
});

test('a box is a region of one: no part asks whether there are other processes', () => {
  const asks = /\b(?:Lease|Turn|Processes|SharedState|DeviceClaims) \| null\b|\b(?:shared|claims|processes)\?(?::|\.)/;
  expect(files.filter(file => asks.test(textOf(file)))).toEqual([]);
});

test('the two gateways of devices do not import each other', () => {
  const gatewayOf = (file: string) => /^src\/devices\/(mqtt|http)\//.exec(file)?.[1];
  const across = imports.filter(({ from, to }) => {
    const ends = [gatewayOf(from), gatewayOf(to)];
    return ends.every(end => end !== undefined) && ends[0] !== ends[1];
  });
  expect(across).toEqual([]);
});

test('a room is entered by its index.ts, runtime, platform and, by tools, cli by their files, and no room enters itself by its index', () => {
  const free = new Set(floor);
  const around = imports.filter(
    ({ from, to }) =>
      roomOf(from) !== roomOf(to) &&
      !free.has(roomOf(to)) &&
      !(roomOf(from) === 'tools' && roomOf(to) === 'cli') &&
      !/\/index\.ts$|^tools\/commands\.ts$/.test(to),
  );
  expect(around).toEqual([]);
  const own = imports.filter(({ from, to }) => roomOf(from) === roomOf(to) && to === `src/${roomOf(from)}/index.ts`);
  expect(own).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
  expect(circles(files)).toEqual([]);
  expect(circles(filesOfUi)).toEqual([]);
});

test('no folders inside a room import each other in a circle, types included', () => {
  // Layers of the store that are not divided by domain yet know each other.
  expect(circlesBelow('src/store/domains', files)).toEqual([]);
  const rooms = readdirSync(`${root}/src`).filter(room => room !== 'store');
  expect(rooms.flatMap(room => circlesBelow(`src/${room}`, files))).toEqual([]);
  expect(circlesBelow('tools', files)).toEqual([]);
  expect(['web-ui/src', 'web-ui/src/pages'].flatMap(folder => circlesBelow(folder, filesOfUi))).toEqual([]);
});

test('the bench imports what the program exports, and scripts of the build', () => {
  const wrong = filesOf('bench')
    .flatMap(importsOf)
    .filter(({ to }) => !/^(bench|scripts|test\/(support|power))\//.test(to))
    .filter(({ to }) => !/^src\/(runtime|platform)\/|^(src|tools)\/[^/]+\/index\.ts$/.test(to))
    .map(({ from, to }) => `${from}: ${to}`);
  expect(wrong).toEqual([]);
});

/**
 * Values that tests alone import, from the file that has them: each shows what nothing else shows.
 */
const forTests: readonly string[] = [
  'src/accounts/oauth/authorize.ts: oauthCookie',
  'src/admin/attendance.ts: attendanceReportOf',
  'src/admin/fleet.ts: fleetPageOf',
  'src/admin/index.ts: Role',
  'src/admin/ui/certificates.ts: appleProfile',
  'src/attendance/import/read-xlsx.ts: byProgram',
  'src/attendance/import/read-xlsx.ts: workbookReader',
  'src/box/paths.ts: pathOwners',
  'src/cli/banner.ts: bannerText',
  'src/devices/index.ts: DevicesOptions',
  'src/listeners/answers.ts: heldAnswers',
  'src/listeners/bounded-request.ts: heldBodies',
  'src/listeners/slow-requests.ts: progressBytes',
  'src/operations/doctor/synchronized.ts: readTracking',
  'src/operations/led.ts: ledPatterns',
  'src/operations/settle.ts: giveBack',
  'src/operations/settle.ts: giveBackPages',
  'src/operations/settle.ts: programPages',
  'src/platform/device-clock.ts: delayOf',
  'src/platform/event-topics.ts: covers',
  'src/platform/event-topics.ts: isFilter',
  'src/platform/look.ts: dark',
  'src/runtime/top-level.ts: valueAt',
  'src/services/weather/weather.ts: weatherCallsMax',
  'src/services/weather/weather.ts: weatherPlacesMax',
  'src/store/data-dir/ownership.ts: ownerOf',
  'src/store/index.ts: StoreOptions',
  'src/store/postgres/session.ts: whyUnfit',
  'src/store/postgres/shared-files.ts: whyUnusable',
  'src/store/postgres/unnumbered.ts: withPlace',
  'src/upstream/uplink.ts: next',
  'tools/sim/index.ts: Arrival',
];

test('every export is imported by another file of the program, or stands in the list of those for tests', () => {
  const { unused, testsAlone } = unusedExports();
  // drizzle-kit reads the tables.
  const isTable = (one: string): boolean => {
    const [file, name] = one.split(': ');
    return file!.startsWith('src/store/') && textOf(file!).includes(`export const ${name} = sqliteTable(`);
  };
  expect(unused.filter(one => !isTable(one))).toEqual([]);
  expect(testsAlone).toEqual([...forTests].sort());
});

/** The sources, but for those that declare what is asked after. */
const textBut = (declares: (file: string) => boolean): string =>
  files
    .filter(file => !declares(file) && !file.endsWith('.generated.ts'))
    .map(textOf)
    .join('\n');
const unread = (names: readonly string[], text: string): string[] =>
  names.filter(name => !new RegExp(`\\b${name.split('.').at(-1)}\\b`).test(text));

test('every key of the config, every limit and every reason of a refusal is read somewhere', () => {
  const keys = configKeys.filter(({ section }) => !section).map(({ path }) => path.join('.'));
  expect(keys.length).toBeGreaterThan(50);
  expect(
    unread(
      keys,
      // upstream-addresses.ts hands the addresses to the other rooms.
      textBut(file => file.startsWith('src/config/') && file !== 'src/config/upstream-addresses.ts'),
    ),
  ).toEqual([]);
  expect(
    unread(
      Object.keys(limits),
      textBut(file => file === 'src/platform/limits.ts'),
    ),
  ).toEqual([]);
  expect(
    unread(
      Object.keys(refusalTexts),
      textBut(file => file === 'src/words/refusals.ts'),
    ),
  ).toEqual([]);
});

test('every file is used', () => {
  const used = new Set(imports.map(one => one.to));
  const entries = new Set(['src/cli/start.ts', 'src/store/thread.ts']);
  expect(files.filter(file => !used.has(file) && !entries.has(file))).toEqual([]);
});

test('time and chance are handed in', () => {
  const forbidden: readonly (readonly [RegExp, string])[] = [
    [/\bDate\.now\(/, 'use clock.now()'],
    [/new Date\(\)/, 'use new Date(clock.now())'],
    [/\bMath\.random\(/, 'use the random that is handed in'],
    [/(?<![.\w])setTimeout\(/, 'use clock.sleep()'],
    [/\bsetInterval\(/, 'use clock.sleep() in a loop that ends'],
    [/[^.\w]fetch\((?!request|environment)/, 'use node:http with a time-out'],
  ];
  // The real clock itself; and the writer thread, which looks whether it is idle.
  const allowed = new Set(['src/runtime/real-world.ts', 'src/store/writer/loop.ts']);
  const found = files
    .filter(file => !allowed.has(file))
    .flatMap(file =>
      textOf(file)
        .split('\n')
        .flatMap((line, index) =>
          forbidden
            .filter(([pattern]) => pattern.test(line) && !line.trimStart().startsWith('*'))
            .map(([, instead]) => `${file}:${index + 1}: ${line.trim()}: ${instead}`),
        ),
    );
  expect(found).toEqual([]);
});

test('a file is read in one sitting: 300 lines', () => {
  const long = files.filter(file => !file.endsWith('.generated.ts') && textOf(file).split('\n').length > 301);
  expect(long).toEqual([]);
});

test('a thing of a few lines is no file of the store, but for the entries of its threads', () => {
  const short = filesOf('src/store').filter(file => textOf(file).split('\n').length < 17);
  expect(short.filter(file => !/(?:^|[/-])(?:index|thread)\.ts$/.test(file))).toEqual([]);
});

test('comments wrap at 100 columns', () => {
  const tables = /^\s*\* {4,}|biome-ignore|^\*\{/;
  const long = files.flatMap(file =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) =>
        line.length > 100 && /^\s*(\/\/|\/?\*)/.test(line) && !tables.test(line) ? [`${file}:${index + 1}`] : [],
      ),
  );
  expect(long).toEqual([]);
});

test('nothing is left for later in the code', () => {
  expect(files.filter(file => /\b(TODO|FIXME|XXX|HACK)\b/.test(textOf(file)))).toEqual([]);
});

test('the embedded migrations are those of the folder', () => {
  expect(readFileSync(embeddedFile, 'utf8')).toBe(embeddedMigrations());
});

test('each release has one migration, and the coming one has one', () => {
  expect(readdirSync(join(root, 'src/store/migrations')).length).toBeLessThanOrEqual(releases().length + 1);
});

test('the lockfile names no download address', () => {
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
});

test('the lockfile asks for no Node: the one that runs the packages comes with them', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const asks = Object.entries<{ engines?: unknown }>(packages).filter(([name, one]) => name !== '' && one.engines);
  expect(
    asks.map(([name]) => name),
    'npm run lockfile takes it out',
  ).toEqual([]);
});

test('every dependency has its reason in docs/decisions/dependencies.md', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const reasons = readFileSync(join(root, 'docs/decisions/dependencies.md'), 'utf8');
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...fetchedPackages });
  expect(names.filter(name => !reasons.includes(`\`${name}\``))).toEqual([]);
});

test('the web UI has types of the box, and values of src/platform, src/runtime, src/words and the client alone', () => {
  const wrong = filesOf('web-ui/src')
    .flatMap(importsOf)
    .filter(({ to, typesOnly }) => !to.startsWith('web-ui/src/') && !typesOnly)
    .filter(({ to }) => !/^src\/(platform|runtime|words)\/|^src\/admin-client\/calls\.ts$/.test(to))
    .map(({ from, to }) => `${from}: ${to}`);
  expect(wrong).toEqual([]);
});

test('no name of the code is one that ARCHITECTURE.md replaced', () => {
  // SQL keeps its names, and so does what stands on disk.
  const declared = /(?:\b(?:const|let|function|class|interface|type|readonly)\s+|[.#])(\w+)/g;
  const old = /^(told|toldTo|settled|hungry|given|aside|anew|ways|whoever|lane|trunk|mailroom|errand)$/;
  const oldEnd = /[a-z](Says|Told)$/;
  const found = [...files, ...filesOf('web-ui/src')].flatMap(file =>
    [
      ...textOf(file)
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`|'[^'\n]*'/g, '')
        .matchAll(declared),
    ]
      .map(([, name]) => name!)
      .filter(name => old.test(name) || oldEnd.test(name))
      .map(name => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('docs/security.md names tests that exist', () => {
  const tests = (readdirSync(join(root, 'test'), { recursive: true }) as string[])
    .filter(name => name.endsWith('.test.ts'))
    .map(name => name.slice(0, -'.test.ts'.length));
  const rows = [
    ...readFileSync(join(root, 'docs/security.md'), 'utf8').matchAll(/^\|.*\| ((?:`[^`]+`(?:, )?)+) \|$/gm),
  ];
  const named = rows.flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(name => !tests.some(test => test === name || test.startsWith(`${name}/`)))).toEqual([]);
});
