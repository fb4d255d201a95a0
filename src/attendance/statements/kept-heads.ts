import type { ReadPart, RememberedReads, RememberedWrites, WritePart } from '../../store/index.ts';
import { noStatementBefore } from './chain.ts';

/** Both ends of the chain, as the store keeps them beside the files. */
export interface KeptHeads {
  /** The newest statement. */
  readonly head: { readonly no: number; readonly day: string; readonly hash: string; readonly throughSeq: number };
  /** The oldest that is kept, and the hash that it follows. */
  readonly begin: { readonly no: number; readonly previous: string };
}

const place = { service: 'box', key: 'statements' } as const;

export const nothingBefore: KeptHeads['begin'] = { no: 1, previous: noStatementBefore };

/** Heads; null if no statement was made yet. */
export async function keptHeads({ read }: ReadPart<RememberedReads>): Promise<KeptHeads | null> {
  const row = await read.remembered(place.service, place.key);
  return row ? (JSON.parse(row.value) as KeptHeads) : null;
}

export const keepHeads = ({ write }: WritePart<RememberedWrites>, heads: KeptHeads, at: number): Promise<void> =>
  write.remember({ ...place, value: JSON.stringify(heads), at });
