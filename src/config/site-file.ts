import { dirname, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { z } from 'zod';
import { didYouMean } from '../runtime/did-you-mean.ts';
import { resolvePath } from '../runtime/resolve-path.ts';
import { type Complaint, FileRefused, type PathStep } from './complaint.ts';
import { readValue } from './files.ts';
import type { NamedFile } from './load.ts';
import { type SiteProblem, siteProblems } from './site-rules.ts';
import { isSiteSecret, type SiteFile, siteSchema } from './site-schema.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/** A site file that was read; it knows the line and column of each value. */
interface ReadSite {
  readonly site: SiteFile;
  /** The files that values name. */
  readonly files: readonly NamedFile[];
  /**
   * Turns problems that were found later, against the box's content, into complaints with line and
   * column.
   */
  refused(problems: readonly SiteProblem[]): FileRefused;
}

type Values = Record<string, unknown>;

/**
 * Reads a site file (CONTRACT 3). Checks its schema, the limits of SPEC 8, the files that `file:`
 * values name, and references inside the file. Throws `FileRefused` with all problems. `apply`
 * checks what depends on the box's content.
 */
export function readSiteFile(file: string, cwd: string): ReadSite {
  return parseSite(readYaml(file, cwd), dirname(resolve(cwd, file)));
}

function parseSite(source: YamlSource, folder: string): ReadSite {
  const values = withoutEmptySections(source.values() ?? {});
  const complaints: Complaint[] = [];
  const refuse = ({ path, reason }: SiteProblem, at: 'value' | 'key' = 'value') => {
    const written = isSiteSecret(path) ? undefined : source.written(path);
    const value =
      written === undefined || written === '' || written.startsWith('file:') ? {} : { value: written.slice(0, 80) };
    complaints.push(source.complaint(path, reason, at === 'key' ? { at } : value));
  };
  const files: NamedFile[] = [];
  readFiles(values, [], folder, refuse, files);
  const parsed = siteSchema.safeParse(values);
  if (!parsed.success) for (const issue of parsed.error.issues) for (const one of siteIssue(issue)) refuse(one, one.at);
  else for (const problem of siteProblems(parsed.data, null, { prune: false, production: false })) refuse(problem);
  if (complaints.length > 0 || !parsed.success) throw new FileRefused(complaints);
  return {
    site: parsed.data,
    files,
    refused(problems) {
      complaints.length = 0;
      for (const problem of problems) refuse(problem);
      return new FileRefused(complaints);
    },
  };
}

/** The schema's issues as places and reasons that a person understands; also used by the API. */
export function siteIssue(issue: z.core.$ZodIssue): (SiteProblem & { at: 'value' | 'key' })[] {
  const path = issue.path as PathStep[];
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(path);
    return issue.keys.map(key => ({
      path: [...path, key],
      reason: `unknown key${didYouMean(key, known) || `: known here are ${known.join(', ')}`}`,
      at: 'key',
    }));
  }
  const reason =
    issue.code !== 'invalid_type' || !['object', 'array'].includes(issue.expected)
      ? issue.message
      : issue.expected === 'array'
        ? 'not a list: write its entries under it, each after "- "'
        : `not a map: write its keys: ${knownKeys(path).join(', ')}`;
  return [{ path, reason, at: 'value' }];
}

/** The keys that the schema knows at a place, such as those of an employee's department. */
function knownKeys(path: readonly PathStep[]): string[] {
  interface Definition {
    innerType?: { def: Definition };
    element?: { def: Definition };
    shape?: Record<string, { def: Definition }>;
  }
  let def = siteSchema.def as unknown as Definition;
  for (const step of path) {
    const next = typeof step === 'number' ? def.element : def.shape?.[step];
    if (!next) return [];
    def = next.def;
    while (def.innerType) def = def.innerType.def;
  }
  return Object.keys(def.shape ?? {});
}

/**
 * `employees:` without a value leaves the employees as they are; an empty list removes them when
 * pruning.
 */
const withoutEmptySections = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

function readFiles(
  value: unknown,
  path: PathStep[],
  folder: string,
  refuse: (problem: SiteProblem) => void,
  files: NamedFile[],
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(name) : name;
    if (typeof inner === 'string' && inner.startsWith('file:')) {
      const file = resolvePath(inner, folder);
      const read = readValue(file);
      files.push({ written: inner.slice('file:'.length), file });
      if (!read.ok) refuse({ path: [...path, step], reason: read.reason });
      (value as Values)[name] = read.ok ? read.value : 'unread-value';
    } else readFiles(inner, [...path, step], folder, refuse, files);
  }
}

/** The site as a file that `apply` accepts. */
export const writeSite = (site: object): string =>
  Object.keys(site).length === 0 ? '# nothing yet\n' : stringify(site, { lineWidth: 0 });
