import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { gzip } from 'node:zlib';
import manifest from '../package.json' with { type: 'json' };
import { type TarEntry, tarOf } from '../src/runtime/tar.ts';
import { type Architecture, architectures } from './build-deb.ts';
import { commitEpoch } from './commit-epoch.ts';
import { commitId } from './commit-id.ts';
import { takeNewest } from './oci/debian.ts';
import { baseOf, dpkgStatus, osRelease, textFile, uid, withFolders } from './oci/root.ts';

/**
 * Makes the container image of the executables in dist/binary, for both architectures, without a
 * container engine: an OCI image layout (image-spec 1.1) as a folder and as one archive, which has
 * `manifest.json` too, for engines that read Docker's own form alone (docs/decisions/container.md).
 *
 *     npm run build:oci [-- --newest]
 *
 * `--newest` takes the newest versions of Debian's packages first, and writes them down.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

/** The name says that no registry has it: an engine that misses it must not ask one. */
const repository = 'localhost/gatehouse';

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const;

export interface OciOptions {
  readonly wanted?: readonly Architecture[];
  /** With `gatehouse-linux-{arm64,x64}`, as `npm run build:binary` makes it. */
  readonly binaries?: string;
  readonly into?: string;
  readonly version?: string;
}

/**
 * Makes the image and returns the path of its archive; the folder beside it has the same name
 * without `.oci.tar`. The same commit, binaries and packages give the same bytes.
 */
export async function buildOci({
  wanted = Object.keys(architectures) as Architecture[],
  binaries = join(root, 'dist/binary'),
  into = join(root, 'dist/oci'),
  version = manifest.version,
}: OciOptions = {}): Promise<string> {
  const epoch = commitEpoch();
  if (epoch === null) throw new Error('when was this committed? Set SOURCE_DATE_EPOCH');
  const blobs = new Blobs();
  const images: Image[] = [];
  for (const architecture of wanted) images.push(await imageOf({ architecture, binaries, version, epoch, blobs }));
  const index = blobs.putJson(types.index, {
    schemaVersion: 2,
    mediaType: types.index,
    manifests: images.map(({ descriptor, platform }) => ({ ...descriptor, platform })),
  });
  const name = `${repository}:${version}`;
  const files = new Map<string, Uint8Array>([
    ['oci-layout', json({ imageLayoutVersion: '1.0.0' })],
    [
      'index.json',
      json({
        schemaVersion: 2,
        mediaType: types.index,
        manifests: [
          {
            ...index,
            annotations: { 'org.opencontainers.image.ref.name': name, 'io.containerd.image.name': name },
          },
        ],
      }),
    ],
    [
      'manifest.json',
      json(
        images.map(({ platform, config, layers }) => ({
          Config: pathOf(config),
          RepoTags: [`${name}-${platform.architecture}`],
          Layers: layers.map(pathOf),
        })),
      ),
    ],
    ...blobs.files,
  ]);
  const folder = join(into, `gatehouse-${version}`);
  await rm(folder, { recursive: true, force: true });
  const entries: TarEntry[] = [];
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    entries.push({ name: path, mode: 0o644, bytes: content });
  }
  // For the list of what is in the image (scripts/release.ts).
  await writeFile(join(into, 'dpkg-status'), images.map(({ status }) => status).join('\n'));
  await writeFile(join(into, 'os-release'), images[0]!.release);
  const archive = `${folder}.oci.tar`;
  await writeFile(archive, packed(entries, epoch));
  return archive;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

interface Image {
  readonly platform: { readonly architecture: Architecture; readonly os: 'linux'; readonly variant?: string };
  readonly descriptor: Descriptor;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  /** Of its Debian: the packages, and the release that they are of. */
  readonly status: string;
  readonly release: string;
}

interface ImageOptions {
  readonly architecture: Architecture;
  readonly binaries: string;
  readonly version: string;
  readonly epoch: number;
  readonly blobs: Blobs;
}

async function imageOf({ architecture, binaries, version, epoch, blobs }: ImageOptions): Promise<Image> {
  const created = new Date(epoch * 1000).toISOString().replace('.000', '');
  const base = await baseOf(architecture);
  const textOf = (path: string) => Buffer.from(base.find(one => one.name === path)!.bytes!).toString();
  // The lower layer is of no commit: an update brings the upper one alone.
  const stack = [
    {
      what: "the libraries of Debian that the program needs, and Debian's shell",
      entries: base,
      at: 0,
    },
    { what: 'the program', entries: await programOf(architecture, binaries), at: epoch },
  ];
  const layers: Descriptor[] = [];
  const sums: string[] = [];
  for (const { entries, at } of stack) {
    const plain = packed(entries, at);
    sums.push(digestOf(plain));
    layers.push(blobs.put(types.layer, await promisify(gzip)(plain)));
  }
  const platform = { architecture, os: 'linux' as const, ...(architecture === 'arm64' && { variant: 'v8' }) };
  const config = blobs.putJson(types.config, {
    created,
    ...platform,
    config: configOf(version, created),
    rootfs: { type: 'layers', diff_ids: sums },
    history: stack.map(({ what }) => ({ created, created_by: 'scripts/build-oci.ts', comment: what })),
  });
  const descriptor = blobs.putJson(types.manifest, { schemaVersion: 2, mediaType: types.manifest, config, layers });
  return { platform, descriptor, config, layers, status: textOf(dpkgStatus), release: textOf(osRelease) };
}

/** How an engine runs it. `Healthcheck` is Docker's own: OCI has none, and engines of Kubernetes ignore it. */
const configOf = (version: string, created: string) => ({
  User: `${uid}:${uid}`,
  ExposedPorts: { '8080/tcp': {}, '8443/tcp': {}, '8883/tcp': {} },
  Env: [
    'PATH=/usr/bin',
    'GATEHOUSE_CONFIG=/etc/gatehouse/gatehouse.yaml',
    'GATEHOUSE_DATA_DIR=/data',
    'GATEHOUSE_PROVISIONING__BLUETOOTH=off',
    'GATEHOUSE_PROVISIONING__WIFI=off',
    // As in gatehouse.service.
    'MALLOC_ARENA_MAX=2',
  ],
  Entrypoint: ['/usr/bin/gatehouse'],
  Cmd: ['serve'],
  Volumes: { '/data': {} },
  WorkingDir: '/data',
  Labels: {
    'org.opencontainers.image.title': 'Gatehouse',
    'org.opencontainers.image.description': manifest.description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': commitId() ?? '',
    'org.opencontainers.image.created': created,
    'org.opencontainers.image.licenses': manifest.license,
  },
  StopSignal: 'SIGTERM',
  Healthcheck: {
    Test: ['CMD', '/usr/bin/gatehouse', 'status', '--check'],
    Interval: 30 * seconds,
    Timeout: 10 * seconds,
    StartPeriod: 120 * seconds,
    Retries: 3,
  },
});

/** Docker counts in nanoseconds. */
const seconds = 1_000_000_000;

async function programOf(architecture: Architecture, binaries: string): Promise<TarEntry[]> {
  const file = `gatehouse-linux-${architectures[architecture]}`;
  const program = join(binaries, file);
  await access(program).catch(() => {
    throw new Error(`there is no ${program}: npm run build:binary -- --arch ${architectures[architecture]}`);
  });
  const entries: TarEntry[] = [
    { name: 'data', mode: 0o750, uid },
    // By this file the program knows where it is (src/runtime/container.ts).
    textFile('usr/lib/gatehouse/container', ''),
    { name: 'usr/bin/gatehouse', mode: 0o777, target: '../lib/gatehouse/gatehouse' },
    { name: 'usr/lib/gatehouse/gatehouse', mode: 0o755, bytes: await readFile(program) },
    textFile('etc/gatehouse/gatehouse.yaml', await readFile(join(root, 'scripts/oci/gatehouse.yaml'), 'utf8')),
  ];
  for (const name of ['THIRD-PARTY-LICENCES.txt', 'gatehouse.cdx.json']) {
    const text = await readFile(join(binaries, name), 'utf8').catch(() => null);
    if (text !== null) entries.push(textFile(`usr/share/doc/gatehouse/${name}`, text));
  }
  return withFolders(entries);
}

/** Content by its checksum. */
class Blobs {
  readonly #contents = new Map<string, Uint8Array>();

  put(mediaType: string, content: Uint8Array): Descriptor {
    const digest = digestOf(content);
    this.#contents.set(digest, content);
    return { mediaType, digest, size: content.length };
  }

  putJson(mediaType: string, content: object): Descriptor {
    return this.put(mediaType, json(content));
  }

  get files(): [string, Uint8Array][] {
    const digests = [...this.#contents.keys()].sort();
    return digests.map(digest => [pathOf({ digest }), this.#contents.get(digest)!]);
  }
}

const packed = (entries: readonly TarEntry[], seconds: number): Buffer =>
  Buffer.concat([...tarOf(entries, seconds * 1000)]);
const json = (content: object): Uint8Array => Buffer.from(JSON.stringify(content));
const digestOf = (content: Uint8Array): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;
const pathOf = ({ digest }: Pick<Descriptor, 'digest'>): string => `blobs/${digest.replace(':', '/')}`;

if (import.meta.main) {
  const { values } = parseArgs({ options: { newest: { type: 'boolean' } } });
  if (values.newest) await takeNewest();
  console.log(await buildOci());
}
