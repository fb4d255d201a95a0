import { sentences } from '../sentences.ts';

/** Log lines of the process. */
export const cliLog = sentences({
  site_file_applied: {
    en: ({ file }: { file: string }) => `the site file ${file} is applied`,
    zh: ({ file }) => `已应用站点文件 ${file}`,
  },
  restarting: { en: 'restarting', zh: '正在重新启动' },
  stopping: { en: 'stopping', zh: '正在停止' },
  stopping_for_update: {
    en: 'stopping, so that systemd starts the updated program',
    zh: '正在停止，systemd 将启动升级后的程序',
  },
  stop_cut_short: {
    en: 'the stop took too long and was cut short; nothing that was acknowledged is lost',
    zh: '停止耗时过长，已强制结束；已确认的数据没有丢失',
  },
  database_gone: {
    en: 'the database is gone: the process ends and should be started again',
    zh: '数据库连接已断开：进程结束，需重新启动',
  },
  bug: { en: 'this is a bug: the box ends and should be started again', zh: '程序错误：网关结束运行，需重新启动' },
  console_not_written: { en: 'the state of the box cannot be shown on its console', zh: '网关状态无法显示在控制台上' },
});
