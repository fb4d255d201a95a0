import { cyclonedx, type Sbom } from './sbom.ts';

/**
 * Lists of what is in something made of the program and of Debian's packages, as CycloneDX: the
 * parts of the program as its own list has them, and each package beside it.
 */

/** Of a package file: `name` is the file's, `fields` are those of its control file. */
export function sbomOfPackage(program: Sbom, fields: ReadonlyMap<string, string>): string {
  const version = fields.get('Version')!;
  const architecture = fields.get('Architecture')!;
  const declared = (['Depends', 'Recommends'] as const).flatMap(field =>
    relations(fields.get(field) ?? '').map(({ name, text }) => ({
      type: 'library',
      'bom-ref': `pkg:deb/debian/${name}`,
      name,
      scope: field === 'Depends' ? 'required' : 'optional',
      purl: `pkg:deb/debian/${name}`,
      properties: [{ name: `debian:${field.toLowerCase()}`, value: text }],
    })),
  );
  return around(program, {
    type: 'application',
    name: fields.get('Package')!,
    version,
    url: `pkg:deb/gatehouse/${fields.get('Package')}@${encodeURIComponent(version)}?arch=${architecture}`,
    packages: declared,
  });
}

export interface ImageContent {
  readonly type: 'firmware' | 'container';
  readonly name: string;
  readonly version: string;
  /** `/var/lib/dpkg/status` of its root; of several architectures, one behind the other. */
  readonly status: string;
  /** `/etc/os-release` of its root. */
  readonly osRelease: string;
}

export function sbomOfImage(program: Sbom, { type, name, version, status, osRelease }: ImageContent): string {
  const release = /^VERSION_ID="?(\d+)"?$/m.exec(osRelease)?.[1];
  if (release === undefined) throw new Error(`the image ${name} does not say which Debian it is of`);
  const packages = installedPackages(status)
    // The program is in the list by its own parts.
    .filter(one => one.name !== 'gatehouse')
    .map(one => {
      const url = `pkg:deb/debian/${one.name}@${encodeURIComponent(one.version)}?arch=${one.architecture}&distro=debian-${release}`;
      return {
        type: 'library',
        'bom-ref': url,
        name: one.name,
        version: one.version,
        purl: url,
        properties: [{ name: 'debian:source', value: one.source }],
      };
    });
  // A package of all architectures is in the status of each.
  const once = [...new Map(packages.map(one => [one['bom-ref'], one])).values()];
  return around(program, { type, name, version, url: `pkg:generic/${name}@${version}`, packages: once });
}

interface Whole {
  readonly type: 'application' | ImageContent['type'];
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly packages: readonly { readonly 'bom-ref': string }[];
}

function around(program: Sbom, { type, name, version, url, packages }: Whole): string {
  const own = program.metadata.component;
  return cyclonedx({
    metadata: { component: { type, 'bom-ref': url, name, version, purl: url } },
    components: [own, ...program.components, ...packages],
    dependencies: [
      { ref: url, dependsOn: [own['bom-ref'], ...packages.map(one => one['bom-ref'])] },
      ...program.dependencies,
      ...packages.map(one => ({ ref: one['bom-ref'], dependsOn: [] })),
    ],
  });
}

/** `libc6 (>= 2.28), systemd (>= 252)`; of alternatives, the first one names the entry. */
const relations = (field: string): { name: string; text: string }[] =>
  field
    .split(',')
    .map(one => one.trim())
    .filter(Boolean)
    .map(text => ({ name: /^[a-z0-9][a-z0-9.+-]*/.exec(text)![0], text }));

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** The source package that Debian's advisories name, with its version. */
  readonly source: string;
}

/** By name. */
export function installedPackages(status: string): readonly InstalledPackage[] {
  return status
    .split('\n\n')
    .map(controlFields)
    .filter(fields => fields.get('Status') === 'install ok installed')
    .map(fields => {
      const [name, version, architecture] = ['Package', 'Version', 'Architecture'].map(field => fields.get(field)!);
      const [source, sourceVersion] = (fields.get('Source') ?? name!).split(' ');
      return {
        ...{ name: name!, version: version!, architecture: architecture! },
        source: `${source} ${sourceVersion?.slice(1, -1) ?? version}`,
      };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** One paragraph of a control file; a field of several lines has its first one. */
export const controlFields = (paragraph: string): Map<string, string> =>
  new Map([...paragraph.matchAll(/^([A-Za-z0-9-]+): ?(.*)$/gm)].map(([, name, value]) => [name!, value!]));
