import { sentences } from '../sentences.ts';

/** Log lines of updates of the box. */
export const updatesLog = sentences({
  update_installing: {
    en: 'the backup before the update is made; RAUC installs',
    zh: '升级前的备份已完成，正在由 RAUC 安装',
  },
  update_installed: { en: 'the update is installed: the box restarts with it', zh: '升级已安装，网关将用它重新启动' },
  update_not_installed: {
    en: 'the update was not installed; the box keeps running as it is',
    zh: '升级没有安装，网关照常运行',
  },
  update_waits_for_restart: { en: 'the update waits for the restart', zh: '升级等待重新启动' },
  update_outcome_not_stored: { en: 'the outcome of the update could not be stored', zh: '升级的结果未能保存' },
  last_update_outcome_not_stored: {
    en: 'the outcome of the last update could not be stored',
    zh: '上次升级的结果未能保存',
  },
});
