import { type FileOfKey, fileFaultInChinese } from '../config-files.ts';
import { inChinese, sentences, type WithWhy } from '../sentences.ts';
import { boxWarnings } from '../warnings.ts';

/** Log lines of the box as a whole. */
export const boxLog = sentences({
  config_warning: {
    en: ({ why }: WithWhy) => String(why),
    zh: ({ why, why_code: code, ...params }) => `配置：${inChinese({ reason: why, code, params }, boxWarnings)}`,
  },
  config_not_stored: {
    en: 'the config in force could not be stored in the data directory',
    zh: '生效的配置未能保存到数据目录',
  },
  broker_not_open: {
    en: ({ why }: { why: string }) => `event subscribers cannot connect: ${why}`,
    zh: ({ why }) => `事件订阅无法连接：${why}`,
  },
  page_settings_not_used: {
    en: ({ key, why }: { key: string; why: string }) =>
      `the settings of the pages do not fit the config file, and are not used: ${key}: ${why}`,
    zh: ({ key, why }) => `网页上的设置与配置文件不符，未采用：${key}：${why}`,
  },
  clock_set: { en: 'the clock of this box was set', zh: '本网关的时钟被调整' },
  clock_set_not_stored: {
    en: 'that the clock was set could not be noted; it is tried again',
    zh: '时钟被调整一事未能记下，将重试',
  },
  replaced_certificates_in_use: {
    en: 'certificates that were replaced on disk are in use',
    zh: '已启用磁盘上更换的证书',
  },
  replaced_certificate_not_used: {
    en: ({ key, why }: FileOfKey) =>
      `a certificate that was replaced on disk is not taken, and the one before stays in use: ${key}: ${why}`,
    zh: of => `磁盘上更换的证书未被采用，继续使用原证书：${fileFaultInChinese(of)}`,
  },
  devices_limited_by_open_files: {
    en: ({ devicesMax, openFiles }: { devicesMax: number; openFiles: number }) =>
      `at most ${devicesMax} devices may be connected at once over each protocol that the box serves: the process may open ${openFiles} files; raise LimitNOFILE of the service, or \`ulimit -n\``,
    zh: ({ devicesMax, openFiles }) =>
      `网关提供的每种协议最多同时连接 ${devicesMax} 台设备：本进程最多打开 ${openFiles} 个文件；请调高服务的 LimitNOFILE 或 \`ulimit -n\``,
  },
  old_records_not_removed: {
    en: 'old records could not be removed; it is tried again in 10 minutes',
    zh: '旧记录未能删除，10 分钟后重试',
  },
  box_reset: {
    en: 'the box is reset: all its data are deleted at its next start',
    zh: '网关将恢复出厂状态：下次启动时删除全部数据',
  },
});
