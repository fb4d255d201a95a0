import type { TodayReport } from '../../../../src/admin/ui/today.ts';
import { now } from '../../parts/now.ts';
import { ago, moment } from '../../parts/numbers.ts';
import { may } from '../../session.ts';
import { area } from '../../words/index.ts';

const words = area(
  {
    none: 'Not backed up',
    verified: (when: string) => ` · verified ${when}`,
    tried: (when: string) => ` · restore tested ${when}`,
    next: (at: string) => ` · next ${at}`,
    failed: 'Last attempt failed',
  },
  {
    none: '尚未备份',
    verified: when => ` · 校验通过（${when}）`,
    tried: when => ` · 已试恢复（${when}）`,
    next: at => ` · 下次 ${at}`,
    failed: '最近一次备份失败',
  },
);

/** The last backup, whether it was read back and restored, and the next one. */
export function BackupState({ backup }: { backup: NonNullable<TodayReport['status']['backup']> }) {
  const said = words.value;
  const { last_at: last, verified_at: verified, restore_tried_at: tried, next_at: next, failures } = backup;
  const text = [
    last === null ? said.none : ago(last, now.value),
    verified === null ? '' : said.verified(ago(verified, now.value)),
    tried === null ? '' : said.tried(ago(tried, now.value)),
    next === null ? '' : said.next(moment(next)),
  ].join('');
  return (
    <>
      {may('admin') ? <a href="/system/backup">{text}</a> : text}
      {failures.length > 0 && (
        <>
          {' '}
          <strong class="bad">{said.failed}</strong>
        </>
      )}
    </>
  );
}
