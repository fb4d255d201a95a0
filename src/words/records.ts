import { sentences } from './sentences.ts';

/** Why a message cannot be read, as far as its bytes tell. */
export const unreadableWords = sentences({
  unreadable_empty: { en: 'empty', zh: '内容为空' },
  unreadable_utf16: { en: 'UTF-16 in place of UTF-8', zh: '编码是 UTF-16，而不是 UTF-8' },
  unreadable_gbk: { en: 'GBK in place of UTF-8', zh: '编码是 GBK，而不是 UTF-8' },
  unreadable_encoding: { en: 'not UTF-8', zh: '编码不是 UTF-8' },
  unreadable_cut_off: { en: 'not JSON: cut off', zh: '不是 JSON：内容被截断' },
  unreadable_number: {
    en: 'not JSON: a number in a form that JSON does not know',
    zh: '不是 JSON：数字的写法不符合 JSON',
  },
  unreadable_json: { en: 'not JSON', zh: '不是 JSON' },
  unreadable_object: { en: 'not an object', zh: '不是 JSON 对象' },
});

/** Why a record stays here, or was refused above. */
export const recordReasons = sentences({
  kept_no_cloud: { en: 'this box has no cloud', zh: '没有配置云平台' },
  kept_added_here: { en: 'a correction added it', zh: '由考勤调整补卡' },
  kept_unreadable: { en: 'no JSON message', zh: '不是 JSON 消息' },
  kept_log_of_box: { en: 'a log of a box below', zh: '下级网关自身的日志' },
  kept_answered_here: { en: 'answered here, the line was down', zh: '云平台断开期间由本网关应答' },
  kept_feature: {
    en: 'features stay at this site (features.upstream: off)',
    zh: '人员特征留在本单位（features.upstream: off）',
  },
  closed_behind_it: {
    en: 'the cloud closed the connection behind it three times in a row',
    zh: '云平台连续三次收到它后断开连接',
  },
  too_large_above: { en: 'larger than is taken there (413)', zh: '超过上级允许的大小（413）' },
  belongs_to_box_above: {
    en: ({ device, box }: { device: string; box: string }) =>
      `${device} belongs to the box above itself: move it to ${box} on its page there, or list it under that box in boxes of the site file`,
    zh: ({ device, box }) => `${device} 属于上级网关：请在上级网关的设备页面把它移到 ${box}，再重新发送`,
  },
  belongs_to_other_box: {
    en: ({ device, owner, box }: { device: string; owner: string; box: string }) =>
      `${device} belongs to the box ${owner}: move it to ${box} on its page there, or list it under that box in boxes of the site file`,
    zh: ({ device, owner, box }) => `${device} 属于网关 ${owner}：请在上级网关的设备页面把它移到 ${box}，再重新发送`,
  },
});
