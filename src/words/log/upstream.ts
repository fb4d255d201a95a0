import { innerWhyInChinese } from '../reasons.ts';
import { sentences, type WithWhy } from '../sentences.ts';

/** Log lines of the connection to the cloud. */
export const upstreamLog = sentences({
  uplink_up: { en: 'the line to the cloud is up', zh: '到云平台的线路已连通' },
  uplink_not_up: {
    en: 'the line to the cloud is not up; records wait here',
    zh: '到云平台的线路未连通，记录在本网关等待',
  },
  forwarding_not_begun: { en: 'forwarding could not begin; tried again in 5 s', zh: '未能开始转发，5 秒后重试' },
  batch_not_accepted: { en: 'a batch was not accepted; it is sent again', zh: '一批记录未被接收，将再次发送' },
  record_parked: {
    en: ({ why }: WithWhy) => `parked: the cloud refused a record for good: ${why}`,
    zh: one => `云平台拒收了一条记录：${innerWhyInChinese(one)}`,
  },
  record_not_parked: {
    en: 'a refused record could not be parked; it is tried again',
    zh: '一条被拒收的记录未能另存，将重试',
  },
  parked_outcome_not_stored: {
    en: 'the outcome of a parked record could not be stored',
    zh: '被拒收记录的处理结果未能保存',
  },
  confirmation_not_stored: { en: 'a confirmation could not be stored', zh: '一个确认未能保存' },
  confirmed_logs_not_counted: { en: "today's confirmed logs could not be counted", zh: '今天已确认的日志未能计数' },
  downlink_no_envelope: {
    en: 'a message from the cloud is not an envelope: dropped',
    zh: '云平台的一条消息格式不符，已丢弃',
  },
  downlink_device_unknown: {
    en: 'a message from the cloud is for a device that is not known here: dropped',
    zh: '云平台的一条消息发给本网关不认识的设备，已丢弃',
  },
  downlink_device_differs: {
    en: 'a message from the cloud names another device than its session: dropped',
    zh: '云平台的一条消息写给另一台设备，与其会话不符，已丢弃',
  },
  report_not_read_above: {
    en: 'the box above cannot read what this box says of itself; it is not told again',
    zh: '上级网关无法解析本网关上报的自身状况，不再上报',
  },
});
