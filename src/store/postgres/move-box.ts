import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type MovedStore, MoveRefused, markMoved, movedStore, movedWords } from '../data-dir/ownership.ts';
import type { MovedTable, MoveOptions, MoveOutcome } from '../move.ts';
import { BinaryRows, type Column } from './copy.ts';
import { MoveSource, ownStopped } from './move-source.ts';
import { leftBehind, MoveTarget } from './move-target.ts';

/** How many rows of a table are between two reports of it. */
const reportRows = 50_000;

/**
 * Moves the store of a box (store/move.ts). All rows are copied and compared in one transaction of
 * the database, so that a move that was cut leaves nothing there. Then three steps, each on disk
 * before the next:
 *
 * 1. the commit, with a row that keeps regions from starting on this database;
 * 2. the mark in the data directory, which keeps the box from starting;
 * 3. the end: that row is changed, and a region may start.
 *
 * So box and region can never both start. Cut before the second step, the box starts as before, and
 * the next attempt clears the database; cut after it, the next attempt makes the third step.
 */
export async function moveBox({ dataDir: named, url, dryRun, clock, tell }: MoveOptions): Promise<MoveOutcome> {
  const dataDir = resolve(named);
  using _owner = ownStopped(dataDir);
  using source = new MoveSource(dataDir);
  await using target = await MoveTarget.connect(url);
  await target.check();
  const { environment, bytes } = source;
  const mark = movedStore(dataDir);
  await target.begin(() => tell({ kind: 'waiting' }));
  try {
    const found = await target.found();
    if (mark) {
      if (!('id' in found) || found.id !== mark.id || mark.epoch !== source.epoch)
        throw new MoveRefused(`${movedWords(dataDir, mark)}, and then be moved`);
      await target.rollback();
      if (found.kind === 'unfinished' && !dryRun) await target.end(mark.id);
      return { moved: mark, environment, tables: null, bytes, changedTexts: 0 };
    }
    if (found.kind === 'other' || found.kind === 'ended')
      throw target.refused(
        'is not empty: name one that is (CREATE DATABASE … TEMPLATE template0), or drop this one if nobody needs it',
      );
    if (found.kind === 'unfinished') {
      await target.clear();
      if (!dryRun) await tell({ kind: 'cleared' });
    }
    await target.makeTables();
    const moved: MovedStore = {
      ...{ id: randomBytes(16).toString('hex'), epoch: source.epoch },
      ...{ at: clock.now(), database: target.name },
    };
    const { tables, changedTexts } = await moveTables({ source, target, dryRun, tell });
    const outcome: MoveOutcome = { moved, environment, tables, bytes, changedTexts };
    if (dryRun) {
      await target.rollback();
      return outcome;
    }
    await target.begins({ id: moved.id, seal: source.sealFingerprint, lastSeq: source.lastSeq() });
    await target.commit();
    await tell({ kind: 'committed' });
    markMoved(dataDir, moved);
    await tell({ kind: 'marked' });
    await target.end(moved.id);
    await tell({ kind: 'ended' });
    return outcome;
  } catch (error) {
    await target.rollback();
    throw error;
  }
}

type Move = Pick<MoveOptions, 'dryRun' | 'tell'> & { readonly source: MoveSource; readonly target: MoveTarget };

async function moveTables(move: Move): Promise<{ tables: readonly MovedTable[]; changedTexts: number }> {
  const { source, target } = move;
  const made = await target.columns();
  const tables: MovedTable[] = [];
  let changedTexts = 0;
  for (const table of source.tables()) {
    if (leftBehind.has(table)) continue;
    const columns = made.get(table);
    const missing = source.columnsOf(table).filter(name => !columns?.some(column => column.name === name));
    if (!columns || missing.length > 0)
      throw new Error(`the database has no place for ${[table, ...missing].join(' ')} of the box`);
    const rows = await moveTable(table, columns, move);
    for (const { name, isCounted } of columns)
      if (isCounted && !move.dryRun) await target.countFrom(table, name, source.highestOf(table));
    tables.push({ table, rows: rows.rows });
    changedTexts += rows.changedTexts;
  }
  return { tables, changedTexts };
}

/** Copies the rows of a table, reads their sum back, and throws when it is another one. */
async function moveTable(
  table: string,
  columns: readonly Column[],
  { source, target, dryRun, tell }: Move,
): Promise<BinaryRows> {
  const of = source.countOf(table);
  const rows = new BinaryRows(columns);
  const copy = dryRun ? null : await target.copy(table, columns);
  try {
    for (const row of source.rowsOf(table, columns)) {
      try {
        rows.add(row);
      } catch (error) {
        source.refuse(table, rows.rows + 1, error);
      }
      if (rows.isChunk) await (copy?.write(rows.take()) ?? rows.take());
      if (rows.rows % reportRows === 0) await tell({ kind: 'copied', table, rows: rows.rows, of });
    }
    await copy?.write(rows.last());
    await copy?.end();
  } catch (error) {
    await copy?.abandon();
    throw error;
  }
  if (rows.rows !== of) throw source.damaged(`the table ${table} has ${rows.rows} rows, and an index of it ${of}`);
  await tell({ kind: 'copied', table, rows: rows.rows, of });
  if (dryRun) return rows;
  const there = await target.sumOf(table, columns);
  if (there.rows !== rows.rows || there.sum !== rows.sum)
    throw target.refused(
      `has another ${table} than the box after copying (${there.rows} rows of ${rows.rows}): nothing is kept of it; repeat the command, and report this if it happens twice`,
    );
  await tell({ kind: 'compared', table });
  return rows;
}
