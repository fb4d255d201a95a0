import { area } from '../../words/index.ts';

export const say = area(
  {
    sentence: 'How the box has been running.',
    span: 'Time shown',
    spans: { day: '24 hours', week: '7 days', month: '30 days', year: 'a year' },
    titles: {
      waiting: 'Waiting for the cloud',
      rate: 'Records a second',
      acknowledgement: 'Acknowledgement, 99 of 100 within',
      line: 'Line to the cloud up',
      devices: 'Devices online',
      disk: 'Free on the disk',
      temperature: 'Temperature of the board',
    },
    most: (value: string, at: string) => `Most at ${at}: ${value}.`,
    least: (value: string, at: string) => `Least at ${at}: ${value}.`,
    none: 'Nothing is kept of this time yet.',
    noneOf: 'This box has no such figure.',
    off: 'box off, or nothing kept',
    kept: 'Kept by the minute for 48 hours, by the hour for 400 days. Also at /admin/v1/history, and for Grafana at /metrics.',
  },
  {
    sentence: '网关的运行历史。',
    span: '时间范围',
    spans: { day: '24 小时', week: '7 天', month: '30 天', year: '一年' },
    titles: {
      waiting: '等待上传',
      rate: '每秒记录数',
      acknowledgement: '确认时间（99 % 以内）',
      line: '线路连通',
      devices: '在线设备',
      disk: '磁盘剩余',
      temperature: '主板温度',
    },
    most: (value, at) => `${at} 最高：${value}。`,
    least: (value, at) => `${at} 最低：${value}。`,
    none: '这段时间还没有数据。',
    noneOf: '本网关没有这项数据。',
    off: '网关停机或没有数据',
    kept: '按分钟保留 48 小时，按小时保留 400 天。也可从 /admin/v1/history 读取，Grafana 使用 /metrics。',
  },
);
