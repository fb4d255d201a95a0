import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { programVersion } from '../src/runtime/version.ts';
import { sha256Of } from './checksums.ts';
import { commitEpoch } from './commit-epoch.ts';
import { makeBundle } from './rauc-bundle.ts';
import { keyOptions, type SigningKeys, signingKeys } from './signing-keys.ts';

/**
 * `npm run build:update -- --program ARCH | --image BOARD`: a signed RAUC bundle under
 * `dist/updates/` (docs/updates.md).
 *
 *   --program ARCH     arm64 or x64: of dist/binary/gatehouse-linux-ARCH, or of --from
 *   --image BOARD      of dist/images/BOARD/root.ext4, or of --from (an ext4 image or a tar);
 *                      with the boot.vfat beside it, if any
 *   --version VERSION  of the program: package.json's; of an image: the same by default
 *   --notes TEXT       what an operator reads before it is installed
 *   --keys FOLDER      update-keys/ when absent; --key, --cert, --keyring: each by itself
 *
 * Two bundles of one commit, the same files and the same RSA key have the same bytes.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    program: { type: 'string' },
    image: { type: 'string' },
    from: { type: 'string' },
    version: { type: 'string', default: programVersion },
    notes: { type: 'string' },
    ...keyOptions,
    out: { type: 'string' },
  },
});
const fail = (message: string): never => {
  process.stderr.write(`build:update: ${message}\n`);
  process.exit(1);
};

const { program, image, version } = values;
if ((program === undefined) === (image === undefined)) fail('say --program arm64|x64 or --image BOARD');
if (program !== undefined && program !== 'arm64' && program !== 'x64') fail(`--program ${program}: arm64 or x64`);
if (!/^[\w.+~-]+$/.test(version)) fail(`--version "${version}": letters, digits and . + ~ - _`);
if (image !== undefined && !/^[\w-]+$/.test(image))
  fail(`--image "${image}": the name of a board, such as generic-arm64`);
const from = resolve(
  values.from ??
    join(root, program === undefined ? `dist/images/${image}/root.ext4` : `dist/binary/gatehouse-linux-${program}`),
);
if (!existsSync(from))
  fail(
    `${from} is not there: npm run ${program === undefined ? `build:image -- ${image}` : `build:binary -- --arch ${program}`}`,
  );
const slotContent = /\.(ext4|tar(\.\w+)?)$/.exec(basename(from))?.[0];
if (image !== undefined && !slotContent) fail(`${from}: an ext4 image (.ext4) or a tar (.tar, .tar.zst)`);

const keys = keysOr(fail);

const name = program === undefined ? `gatehouse-${image}-${version}` : `gatehouse-program-${version}-${program}`;
const out = resolve(values.out ?? join(root, `dist/updates/${name}.raucb`));
mkdirSync(dirname(out), { recursive: true });
const work = mkdtempSync(join(dirname(out), '.bundle-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const content = join(work, 'content');
mkdirSync(content);
const manifest: Record<string, readonly string[]> = {
  update: [
    `compatible=${program === undefined ? `gatehouse-${image}` : `gatehouse-program-${program}`}`,
    `version=${version}`,
    ...(values.notes === undefined ? [] : [`description=${values.notes.replace(/\s+/g, ' ').trim()}`]),
  ],
  bundle: ['format=verity'],
};
if (program === undefined) {
  manifest['image.rootfs'] = await slotImage(from, `root${slotContent}`);
  // A board whose firmware reads its kernel from a partition of each slot (the Raspberry Pi).
  const boot = join(dirname(from), 'boot.vfat');
  if (existsSync(boot)) manifest['image.boot'] = await slotImage(boot, 'boot.vfat');
} else {
  linkOrCopy(from, join(content, 'gatehouse'));
  writeFileSync(join(content, 'version'), `${version}\n`);
  cpSync(join(root, 'firmware-images/update/install-program'), join(content, 'install-program'));
  chmodSync(join(content, 'install-program'), 0o755);
  manifest.handler = ['filename=install-program'];
}
const bundle = join(work, 'bundle.raucb');
const epoch = commitEpoch() ?? fail('when was this committed? Set SOURCE_DATE_EPOCH');
try {
  makeBundle(bundle, content, manifest, keys, epoch);
} catch (error) {
  fail((error as Error).message);
}
rmSync(out, { force: true });
linkSync(bundle, out);
process.stdout.write(`${relative(process.cwd(), out)}: ${Math.ceil(statSync(out).size / 1_000_000)} MB\n`);

function keysOr(refuse: (why: string) => never): SigningKeys {
  try {
    return signingKeys(values);
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** Puts an image into the bundle; its lines of the manifest. */
async function slotImage(source: string, filename: string): Promise<readonly string[]> {
  // A link: the image has some hundred megabytes.
  linkOrCopy(source, join(content, filename));
  return [`filename=${filename}`, `sha256=${await sha256Of(source)}`, `size=${statSync(source).size}`];
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    cpSync(source, target);
  }
}
