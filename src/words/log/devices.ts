import { innerWhyInChinese } from '../reasons.ts';
import { sentences, type WithWhy } from '../sentences.ts';

/** Log lines of devices and their gateways. */
export const devicesLog = sentences({
  device_refused: {
    en: ({ why }: WithWhy) => `refused: ${why}`,
    zh: of => `已拒绝：${innerWhyInChinese(of)}`,
  },
  refusal_not_stored: { en: 'a refusal could not be stored', zh: '一次拒绝未能保存' },
  device_login_failed: { en: 'a login failed inside the box', zh: '一次登录在网关内部出错' },
  new_devices_limit_reached: {
    en: 'the limit of new devices of this product in an hour is reached: further ones are refused',
    zh: '此产品一小时内的新设备已达上限，其余的被拒绝',
  },
  device_key_not_stored: { en: 'a device key could not be stored', zh: '一台设备的密钥未能保存' },
  device_log_not_stored: { en: 'events of devices could not be stored', zh: '设备事件未能保存' },
  device_addresses_not_stored: { en: 'addresses could not be written down', zh: '设备的地址未能保存' },
  logs_not_counted: { en: "today's logs could not be counted", zh: '今天的日志未能计数' },
  answer_not_stored_in_inbox: {
    en: 'an answer could not be stored in the inbox of the device',
    zh: '给设备的应答未能存入其收件箱',
  },
  inbox_not_emptied: {
    en: 'an inbox could not be emptied; it is tried again with the next message',
    zh: '设备的收件箱未能清空，下一条消息到来时重试',
  },
  pulled_messages_not_removed: {
    en: 'pulled messages could not be removed from the inbox; they are offered again',
    zh: '设备已领取的消息未能从收件箱删除，将再次提供',
  },
  box_last_heard_not_stored: {
    en: 'when a box below was heard could not be stored',
    zh: '下级网关的最近联络时间未能保存',
  },
});
