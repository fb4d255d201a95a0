/** Whether a release can be made of a checkout, as `npm run release` asks before it begins. */

export interface ReleaseFacts {
  /** Of package.json. */
  readonly version: string;
  /** Paths that differ from the commit. */
  readonly changes: readonly string[];
  /** The commit of the checkout, and that of the tag of this version; null: no such tag. */
  readonly head: string;
  readonly tagged: string | null;
  /** Tags on the commit of the checkout. */
  readonly tagsHere: readonly string[];
  /** The numbers that have a heading in CHANGELOG.md. */
  readonly released: readonly string[];
  /** The folder of this release is there already. */
  readonly made: boolean;
  readonly arch: string;
  /** Programs that are missing, with Debian's package of each. */
  readonly missing: readonly (readonly [program: string, debianPackage: string])[];
  readonly withImages: boolean;
  readonly isRoot: boolean;
}

export interface Refusal {
  readonly code: string;
  readonly says: string;
  readonly remedy: string;
}

export const tagOf = (version: string): string => `v${version}`;

interface Rule {
  readonly code: string;
  readonly applies: (facts: ReleaseFacts) => boolean;
  readonly says: (facts: ReleaseFacts) => string;
  readonly remedy: (facts: ReleaseFacts) => string;
}

/** In this order: the first one that applies is said. */
const rules: readonly Rule[] = [
  {
    code: 'not_clean',
    applies: ({ changes }) => changes.length > 0,
    says: ({ changes }) => `the checkout differs from its commit: ${someOf(changes)}`,
    remedy: () => 'commit the changes, or put them aside with git stash --include-untracked',
  },
  {
    code: 'wrong_version',
    applies: ({ version, tagged, tagsHere }) => tagged === null && tagsHere.some(tag => tag !== tagOf(version)),
    says: ({ version, tagsHere }) => `the tag is ${tagsHere.join(', ')}, and package.json says ${version}`,
    remedy: () => 'npm version --no-git-tag-version NUMBER, commit, and set the tag on that commit',
  },
  {
    code: 'no_tag',
    applies: ({ tagged }) => tagged === null,
    says: ({ version }) => `package.json says ${version}, and there is no tag ${tagOf(version)}`,
    remedy: ({ version }) => `git tag -a ${tagOf(version)} -m "Gatehouse ${version}"`,
  },
  {
    code: 'tag_elsewhere',
    applies: ({ tagged, head }) => tagged !== head,
    says: ({ version, tagged, head }) =>
      `${tagOf(version)} is on ${tagged?.slice(0, 12)}, the checkout is at ${head.slice(0, 12)}`,
    remedy: ({ version }) => `git switch --detach ${tagOf(version)}`,
  },
  {
    code: 'no_heading',
    applies: ({ released, version }) => !released.includes(version),
    says: ({ version }) => `CHANGELOG.md has no heading "## ${version}"`,
    remedy: () => 'give the heading of the coming release its number, commit, and set the tag on that commit',
  },
  {
    code: 'made_already',
    applies: ({ made }) => made,
    says: ({ version }) => `dist/release/${version} is there already`,
    remedy: () => 'delete or move the folder',
  },
  {
    code: 'wrong_machine',
    applies: ({ arch }) => arch !== 'x64',
    says: ({ arch }) => `this machine is ${arch}: what is made for arm64 and x64 is made on x86_64 alone`,
    remedy: () => 'use an x86_64 machine',
  },
  {
    code: 'programs_missing',
    applies: ({ missing }) => missing.length > 0,
    says: ({ missing }) => `missing here: ${missing.map(([program]) => program).join(', ')}`,
    remedy: ({ missing }) => `apt-get install ${missing.map(([, debianPackage]) => debianPackage).join(' ')}`,
  },
  {
    code: 'not_root',
    applies: ({ withImages, isRoot }) => withImages && !isRoot,
    says: () => 'the files of an image belong to many users, so only root can make one',
    remedy: () => 'run this as root, or with --without-images',
  },
];

/** The first reason against the release; null: none. */
export function refusalOf(facts: ReleaseFacts): Refusal | null {
  const rule = rules.find(({ applies }) => applies(facts));
  return rule === undefined ? null : { code: rule.code, says: rule.says(facts), remedy: rule.remedy(facts) };
}

const someOf = (paths: readonly string[]): string =>
  paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ');
