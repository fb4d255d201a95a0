import type { FleetRow } from '../admin/index.ts';
import type { BoxTrouble } from '../platform/fleet.ts';
import { realClock } from '../runtime/real-world.ts';
import { flag, type Run, textOption } from './command.ts';
import { findBox } from './find-box.ts';
import { ago, bytes, counted, number, span, table } from './wording.ts';

const pageRows = 500;
/** One of the choices of the option. */
type Trouble = BoxTrouble | 'any' | 'none' | undefined;

/** `fleet`: the boxes below, those in trouble first. */
export const fleet: Run = async call => {
  await using box = await findBox(call);
  const asked = {
    search: textOption(call, 'search'),
    trouble: textOption(call, 'trouble') as Trouble,
    limit: pageRows,
  };
  const first = await box.get('/fleet', asked);
  const rows = [...first.rows];
  for (let { cursor } = first; cursor !== null; ) {
    const page = await box.get('/fleet', { ...asked, cursor });
    rows.push(...page.rows);
    cursor = page.cursor;
  }
  if (flag(call, 'json')) return call.print(`${JSON.stringify({ ...first, rows, cursor: null }, null, 2)}\n`);
  if (first.boxes === 0) return call.print('no boxes below are listed here\n');
  const now = realClock.now();
  const head = ['box', 'trouble', 'heard', 'version', 'waiting', 'oldest', 'disk free', 'clock', 'update'];
  await call.print(
    table(
      head,
      rows.map(row => cellsOf(row, now)),
    ),
  );
  await call.print(`${counted(first.boxes, 'box', 'boxes')}, ${number(first.well)} of them without trouble\n`);
};

function cellsOf(
  { box_id, name, troubles: wrong, heard_at, version, outbox, disk, clock, update }: FleetRow,
  now: number,
) {
  return [
    name === '' ? box_id : `${box_id} (${name})`,
    wrong.join(', ') || '-',
    heard_at === null ? 'never' : ago(heard_at, now),
    version || '-',
    outbox ? `${number(outbox.waiting)}${outbox.grows ? ' and more' : ''}` : '-',
    outbox?.oldest_ms == null ? '-' : span(outbox.oldest_ms),
    disk ? bytes(disk.free_bytes) : '-',
    clock.off_ms === null ? '-' : clockInWords(clock.off_ms),
    updateInWords(update),
  ];
}

const clockInWords = (offMs: number): string =>
  Math.abs(offMs) < 1000 ? 'agrees' : `${span(Math.abs(offMs))} ${offMs > 0 ? 'ahead' : 'behind'}`;

function updateInWords(update: FleetRow['update']): string {
  if (!update) return '-';
  const last = update.outcome === '' ? '' : `${update.outcome} ${update.to}`.trim();
  const found = update.found > 0 ? 'one is there' : '';
  return [last, found].filter(Boolean).join(', ') || '-';
}
