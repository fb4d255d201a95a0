import { createHash } from 'node:crypto';
import { programVersion } from '../src/runtime/version.ts';
import type { Part } from './third-party.ts';

/** Names in vulnerability databases of parts that no package manager has. */
const cpes: Readonly<Record<string, string>> = {
  node: 'nodejs:node.js',
  openssl: 'openssl:openssl',
  sqlite: 'sqlite:sqlite',
  uv: 'libuv:libuv',
  zlib: 'zlib:zlib',
  nghttp2: 'nghttp2:nghttp2',
  llhttp: 'llhttp:llhttp',
  icu: 'icu-project:international_components_for_unicode',
};

/** The part of a list from which others are made. */
export interface Sbom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly [field: string]: unknown } };
  readonly components: readonly object[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The list of what is in the program. */
export function sbom(parts: readonly Part[]): string {
  const own = `pkg:generic/gatehouse@${programVersion}`;
  const used = new Set(parts.flatMap(part => part.uses));
  return cyclonedx({
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'gatehouse',
        version: programVersion,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        purl: own,
      },
    },
    components: parts.map(componentOf),
    dependencies: [
      { ref: own, dependsOn: parts.map(({ url }) => url).filter(url => !used.has(url)) },
      ...parts.map(({ url, uses }) => ({ ref: url, dependsOn: [...uses].sort() })),
    ],
  });
}

function componentOf({ kind, name, version, licence, url, sha512 }: Part): object {
  const scope = name.startsWith('@') ? name.split('/')[0] : undefined;
  const cpe = url.startsWith('pkg:generic/') ? cpes[name] : undefined;
  return {
    type: kind === 'data' ? 'data' : name === 'node' ? 'platform' : 'library',
    'bom-ref': url,
    ...(scope === undefined ? {} : { group: scope }),
    name: scope === undefined ? name : name.slice(scope.length + 1),
    version,
    ...(sha512 === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
    licenses: [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }],
    ...(cpe === undefined ? {} : { cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*` }),
    purl: url,
  };
}

/**
 * A list as CycloneDX 1.6. It has no moment, and its serial number comes from its content, so that
 * two builds of one commit are the same bytes.
 */
export function cyclonedx(content: Sbom): string {
  const digits = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  // A UUID of version 8, whose content each program defines.
  const uuid = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    ...content,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
