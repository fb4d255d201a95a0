import { spawnSync } from 'node:child_process';
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

/**
 * `npm run build:update -- --program ARCH | --image BOARD`: a signed RAUC bundle under
 * `dist/updates/` (docs/updates.md).
 *
 *   --program ARCH     arm64 or x64: of dist/binary/gatehouse-linux-ARCH, or of --from
 *   --image BOARD      of dist/images/BOARD/root.ext4, or of --from (an ext4 image or a tar);
 *                      with the boot.vfat beside it, if any
 *   --version VERSION of the program: package.json's; of an image: the same by default --notes TEXT
 *   what an operator reads before it is installed --keys FOLDER signer.key, signer.pem and
 *   keyring.pem; update-keys/ when absent --key, --cert, --keyring each by itself; a PKCS#11 URL
 *   where a token signs
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    program: { type: 'string' },
    image: { type: 'string' },
    from: { type: 'string' },
    version: { type: 'string', default: programVersion },
    notes: { type: 'string' },
    keys: { type: 'string', default: join(root, 'update-keys') },
    key: { type: 'string' },
    cert: { type: 'string' },
    keyring: { type: 'string' },
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

const key = values.key ?? join(values.keys, 'signer.key');
const cert = values.cert ?? join(values.keys, 'signer.pem');
const keyring = values.keyring ?? join(values.keys, 'keyring.pem');
for (const file of [key, cert, keyring])
  if (!file.startsWith('pkcs11:') && !existsSync(file))
    fail(`${file} is not there: npm run update-keys makes keys for development; --keys names a folder of others`);

const name = program === undefined ? `gatehouse-${image}-${version}` : `gatehouse-program-${version}-${program}`;
const out = resolve(values.out ?? join(root, `dist/updates/${name}.raucb`));
mkdirSync(dirname(out), { recursive: true });
const work = mkdtempSync(join(dirname(out), '.bundle-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const content = join(work, 'content');
mkdirSync(content);
const manifest = [
  '[update]',
  `compatible=${program === undefined ? `gatehouse-${image}` : `gatehouse-program-${program}`}`,
  `version=${version}`,
  ...(values.notes === undefined ? [] : [`description=${values.notes.replace(/\s+/g, ' ').trim()}`]),
  '',
  '[bundle]',
  'format=verity',
  '',
];
if (program === undefined) {
  const file = `root${slotContent}`;
  // A link: the image has some hundred megabytes.
  linkOrCopy(from, join(content, file));
  manifest.push('[image.rootfs]', `filename=${file}`, '');
  // A board whose firmware reads its kernel from a partition of each slot (the Raspberry Pi).
  const boot = join(dirname(from), 'boot.vfat');
  if (existsSync(boot)) {
    linkOrCopy(boot, join(content, 'boot.vfat'));
    manifest.push('[image.boot]', 'filename=boot.vfat', '');
  }
} else {
  linkOrCopy(from, join(content, 'gatehouse'));
  writeFileSync(join(content, 'version'), `${version}\n`);
  cpSync(join(root, 'firmware-images/update/install-program'), join(content, 'install-program'));
  chmodSync(join(content, 'install-program'), 0o755);
  manifest.push('[handler]', 'filename=install-program', '');
}
writeFileSync(join(content, 'manifest.raucm'), manifest.join('\n'));
const bundle = join(work, 'bundle.raucb');
const args = ['--cert', cert, '--key', key, '--keyring', keyring];
const squashing = '--mksquashfs-args=-comp zstd -Xcompression-level 15 -quiet';
const made = spawnSync('rauc', [...args, 'bundle', squashing, content, bundle], { encoding: 'utf8' });
if (made.error) fail(`rauc cannot be run (${made.error.message}): apt-get install rauc squashfs-tools`);
if (made.status !== 0) fail(`rauc made no bundle: ${made.stderr.trim()}`);
rmSync(out, { force: true });
linkSync(bundle, out);
process.stdout.write(`${relative(process.cwd(), out)}: ${Math.ceil(statSync(out).size / 1_000_000)} MB\n`);

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    cpSync(source, target);
  }
}
