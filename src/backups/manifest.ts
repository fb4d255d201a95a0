import type { BackupCopy, InspectedBackup } from '../store/index.ts';

/** The head of the chain of daily statements. */
interface StatementHead {
  readonly no: number;
  readonly day: string;
  readonly hash: string;
}

/** Manifest beside an archive, as JSON in `NAME.json`. Contains no secret. */
interface CopyManifest {
  readonly format: 1;
  readonly file: string;
  readonly site: string;
  readonly made_at: string;
  readonly gatehouse: string;
  readonly schema: number;
  readonly environment: string;
  /** The public half of the recovery key that opens it. */
  readonly opens_with: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: Readonly<Record<string, number>>;
  readonly statement_head: StatementHead | null;
  readonly verified_at: string;
  readonly restore_tried_on: string | null;
}

export const manifestName = (name: string): string => `${name}.json`;

const iso = (at: number): string => new Date(at).toISOString();

/** The manifest of a copy that was verified. */
export const manifestOf = (
  copy: BackupCopy & { readonly verifiedAt: number },
  found: InspectedBackup,
  about: { readonly site: string; readonly version: string; readonly recipient: string },
): CopyManifest => ({
  format: 1,
  file: copy.name,
  site: about.site,
  made_at: iso(found.createdAt),
  gatehouse: about.version,
  schema: found.schemaVersion,
  environment: found.environment,
  opens_with: about.recipient,
  bytes: copy.bytes,
  sha256: copy.sha256,
  rows: found.counts,
  statement_head: headOf(found.statements),
  verified_at: iso(copy.verifiedAt),
  restore_tried_on: copy.restoreTriedAt === null ? null : iso(copy.restoreTriedAt),
});

function headOf(statements: string | null): StatementHead | null {
  if (statements === null) return null;
  const { no, day, hash } = (JSON.parse(statements) as { head: StatementHead }).head;
  return { no, day, hash };
}

/**
 * The name of an archive of this box. It has the beginning of the store's random id, so that two
 * boxes can share a folder, and no character that a file system refuses.
 */
export const archiveName = (epoch: string, at: number): string =>
  `gatehouse-${epoch.slice(0, 8)}-${iso(at).slice(0, 19).replaceAll(':', '')}Z.gh`;

/** Only files of such a name are ever deleted. */
export const isArchiveName = (name: string): boolean =>
  /^gatehouse-[0-9a-f]{8}-\d{4}-\d{2}-\d{2}T\d{6}Z\.gh$/.test(name);

/** Whether a file is the unfinished part of a run of this box, which does not count as a copy. */
export const isOwnPart = (name: string, epoch: string): boolean =>
  name.startsWith(`gatehouse-${epoch.slice(0, 8)}-`) && name.endsWith('.part');
