import { expect, test } from 'vitest';
import type { Sbom } from '../../scripts/sbom.ts';
import { controlFields, installedPackages, sbomOfImage, sbomOfPackage } from '../../scripts/sbom-debian.ts';

/** The lists of what is in a package and in an image, beside what is in the program. */

const program: Sbom = {
  metadata: { component: { 'bom-ref': 'pkg:generic/gatehouse@1.0.0', name: 'gatehouse' } },
  components: [{ 'bom-ref': 'pkg:npm/zod@4.6.7', name: 'zod' }],
  dependencies: [
    { ref: 'pkg:generic/gatehouse@1.0.0', dependsOn: ['pkg:npm/zod@4.6.7'] },
    { ref: 'pkg:npm/zod@4.6.7', dependsOn: [] },
  ],
};

const status = `Package: libc6
Status: install ok installed
Source: glibc
Architecture: arm64
Version: 2.41-12
Description: GNU C Library: Shared libraries
 Contains the standard libraries: Version: none of them.

Package: libgcc-s1
Status: install ok installed
Architecture: arm64
Source: gcc-14 (14.2.0-19)
Version: 14.2.0-19+b1

Package: removed
Status: deinstall ok config-files
Architecture: arm64
Version: 1

Package: gatehouse
Status: install ok installed
Architecture: arm64
Version: 1.0.0
`;

/** The references of a list, and those of its tree of dependencies: they have to be the same. */
function refsOf(text: string): { refs: string[]; inTree: Set<string>; root: string } {
  const { metadata, components, dependencies } = JSON.parse(text);
  const refs = [metadata.component, ...components].map(one => one['bom-ref']);
  const inTree = new Set<string>(dependencies.flatMap((one: { dependsOn: string[] }) => one.dependsOn));
  expect(new Set(dependencies.map(({ ref }: { ref: string }) => ref))).toEqual(new Set(refs));
  return { refs, inTree: inTree.add(refs[0]!), root: refs[0]! };
}

test('packages are those that are installed, each with the source that advisories name', () => {
  expect(installedPackages(status)).toEqual([
    { name: 'gatehouse', version: '1.0.0', architecture: 'arm64', source: 'gatehouse 1.0.0' },
    { name: 'libc6', version: '2.41-12', architecture: 'arm64', source: 'glibc 2.41-12' },
    { name: 'libgcc-s1', version: '14.2.0-19+b1', architecture: 'arm64', source: 'gcc-14 14.2.0-19' },
  ]);
});

test('an image has the parts of the program and the packages of its root, each once', () => {
  const image = { type: 'firmware', name: 'gatehouse-raspberrypi', version: '1.0.0' } as const;
  const osRelease = 'ID=debian\nVERSION_ID="13"\n';
  const { refs, inTree, root } = refsOf(sbomOfImage(program, { ...image, status: `${status}\n${status}`, osRelease }));
  expect(root).toBe('pkg:generic/gatehouse-raspberrypi@1.0.0');
  expect(refs.slice(1)).toEqual([
    'pkg:generic/gatehouse@1.0.0',
    'pkg:npm/zod@4.6.7',
    'pkg:deb/debian/libc6@2.41-12?arch=arm64&distro=debian-13',
    'pkg:deb/debian/libgcc-s1@14.2.0-19%2Bb1?arch=arm64&distro=debian-13',
  ]);
  expect(inTree).toEqual(new Set(refs));
  expect(() => sbomOfImage(program, { ...image, status, osRelease: '' })).toThrow('which Debian');
});

test('a package has the parts of the program, and what it declares, needed or recommended', () => {
  const control = 'Package: gatehouse\nVersion: 1.0.0\nArchitecture: arm64\nDepends: libc6 (>= 2.28), libatomic1\n';
  const text = sbomOfPackage(program, controlFields(`${control}Recommends: bluez | other\n`));
  const { refs, inTree, root } = refsOf(text);
  expect(root).toBe('pkg:deb/gatehouse/gatehouse@1.0.0?arch=arm64');
  expect(inTree).toEqual(new Set(refs));
  expect(JSON.parse(text).components.slice(2)).toMatchObject([
    { name: 'libc6', scope: 'required', properties: [{ name: 'debian:depends', value: 'libc6 (>= 2.28)' }] },
    { name: 'libatomic1', scope: 'required' },
    { name: 'bluez', scope: 'optional', properties: [{ name: 'debian:recommends', value: 'bluez | other' }] },
  ]);
});
