import type { TodayReport } from '../../../../src/admin/ui/today.ts';
import { status } from '../../live.ts';
import { now } from '../../parts/now.ts';
import { count, span } from '../../parts/numbers.ts';
import { whySaid } from '../../parts/reasons.ts';
import { words } from '../../words/index.ts';

/**
 * The worst thing first: one sentence, and what it means. What it says of devices is of the same
 * answer as the tables below it; disk and line are as new as the line at the top.
 */
export function todaySentence(report: TodayReport): string {
  const said = words.value.today;
  const { line, outbox, disk } = status.value ?? report.status;
  const { known, refused, states } = report.status.devices;
  if (disk.state !== 'ok') return whySaid(disk) || said.diskFull;
  if (disk.unreadable !== null) return said.diskUnreadable;
  if (disk.unwritable) return said.diskUnwritable;
  if (disk.inodes?.is_low) return said.diskInodes(count(disk.inodes.free));
  if (disk.is_low) return disk.days_left === null ? said.diskLow : said.diskFullIn(disk.days_left);
  if (line.state === 'refused') return said.cloudRefuses;
  if (line.state !== 'up' && line.state !== 'none' && line.since !== null)
    return said.cloudAway(span(now.value - line.since), count(outbox.waiting));
  const troubles = [
    states.silent > 0 ? said.silent(states.silent) : '',
    refused > 0 ? said.notLetIn(refused) : '',
  ].filter(Boolean);
  if (known === 0) return [said.noDevices, ...troubles].join(said.joint);
  return troubles.length > 0 ? troubles.join(said.joint) : said.allWell;
}
