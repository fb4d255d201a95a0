import { area } from '../../words/index.ts';

export const say = area(
  {
    sentence: 'History',
    span: 'Time range',
    spans: { day: '24 hours', week: '7 days', month: '30 days', year: '1 year' },
    titles: {
      waiting: 'Upload queue',
      rate: 'Records per second',
      acknowledgement: 'Acknowledgement latency (p99)',
      line: 'Cloud uptime',
      devices: 'Devices online',
      disk: 'Free disk space',
      temperature: 'Board temperature',
    },
    most: (value: string, at: string) => `Maximum ${value} at ${at}`,
    least: (value: string, at: string) => `Minimum ${value} at ${at}`,
    none: 'No data for this time range',
    noneOf: 'Not available on this gateway',
    off: 'gateway off, or no data',
    kept: 'Per minute for 48 hours, per hour for 400 days. Also at /admin/v1/history, and at /metrics for Grafana.',
  },
  {
    sentence: '历史',
    span: '时间范围',
    spans: { day: '24 小时', week: '7 天', month: '30 天', year: '一年' },
    titles: {
      waiting: '待上传',
      rate: '每秒记录数',
      acknowledgement: '确认延迟（p99）',
      line: '云平台在线率',
      devices: '在线设备',
      disk: '可用空间',
      temperature: '主板温度',
    },
    most: (value, at) => `最高 ${value}（${at}）`,
    least: (value, at) => `最低 ${value}（${at}）`,
    none: '该时间段无数据',
    noneOf: '本网关无此项数据',
    off: '网关停机或没有数据',
    kept: '按分钟保留 48 小时，按小时保留 400 天。也可从 /admin/v1/history 读取，Grafana 使用 /metrics。',
  },
);
