import { sentences } from '../sentences.ts';

/** Log lines of backups. */
export const backupsLog = sentences({
  backup_written: { en: 'a backup was written and verified', zh: '备份已写入并通过检查' },
  backup_not_good: {
    en: ({ why }: { why: string }) => `the backup is not good: ${why}`,
    zh: ({ why }) => `备份未通过检查：${why}`,
  },
  old_backup_deleted: { en: 'an old backup was deleted', zh: '已删除一个旧备份' },
  backups_not_checked: { en: 'the backups could not be looked at', zh: '未能检查备份' },
  backup_of_box_received: { en: 'a backup of a box below was received', zh: '已收到下级网关的备份' },
  old_backup_of_box_deleted: { en: 'an old backup of a box below was deleted', zh: '已删除下级网关的旧备份' },
});
