import { sentences } from '../sentences.ts';

/** Log lines of the services for devices. */
export const servicesLog = sentences({
  cloud_refused_file: { en: 'the cloud refused a file', zh: '云平台拒收了一个文件' },
  file_not_uploaded: { en: 'a file could not be uploaded to the cloud', zh: '一个文件未能上传到云平台' },
  incomplete_files_removed: {
    en: 'incomplete files of interrupted uploads were removed',
    zh: '已删除中断上传留下的不完整文件',
  },
  incomplete_files_not_removed: {
    en: 'incomplete files of interrupted uploads could not be removed',
    zh: '中断上传留下的不完整文件未能删除',
  },
  holidays_not_fetched: { en: "the cloud's holidays could not be fetched", zh: '未能从云平台取得节假日' },
  cloud_refused_message: { en: 'the cloud refused a message', zh: '云平台拒收了一条消息' },
  messages_not_relayed: { en: 'messages could not be relayed to the cloud', zh: '消息未能转给云平台' },
  push_not_passed_on: { en: 'a push of another process could not be passed on', zh: '另一个进程的推送未能转给应用' },
  cloud_voice_not_available: {
    en: "the cloud's voice is not to be had; the box speaks itself",
    zh: '云平台的语音合成不可用，由网关合成',
  },
  text_not_spoken: { en: 'a text could not be spoken', zh: '文字未能转为语音' },
  upgrade_package_served: {
    en: 'an upgrade package was fetched and is served by the box',
    zh: '已取得升级包，由本网关提供下载',
  },
  upgrade_package_not_fetched: { en: 'an upgrade package could not be fetched', zh: '未能取得升级包' },
  upgrades_not_fetched: { en: "the cloud's upgrades could not be fetched", zh: '未能从云平台取得升级信息' },
  upgrade_package_mirrored: { en: 'mirrored an upgrade package', zh: '已从云平台复制升级包' },
  unused_packages_removed: { en: 'removed packages that no upgrade record names', zh: '已删除不再使用的升级包' },
  damaged_package_removed: { en: 'removing a damaged package', zh: '正在删除损坏的安装包' },
  package_fetch_continued: { en: 'continuing to fetch a package', zh: '继续下载安装包' },
  package_fetched_anew: { en: 'fetching the whole package again', zh: '重新下载整个安装包' },
  weather_available_again: { en: 'the weather of the cloud is available again', zh: '云平台的天气恢复可用' },
  weather_not_returned: { en: 'the cloud does not return the weather', zh: '云平台没有返回天气' },
  weather_still_not_returned: { en: 'the cloud still does not answer with the weather', zh: '云平台仍没有返回天气' },
  weather_not_readable: { en: 'the stored weather cannot be read', zh: '保存的天气无法读取' },
  weather_not_stored: { en: 'the weather cannot be stored', zh: '天气无法保存' },
});
