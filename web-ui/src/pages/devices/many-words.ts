import { area } from '../../words/index.ts';

const many = (one: string, other: (count: string) => string) => (count: string) => (count === '1' ? one : other(count));

/** Words for changes of many devices at once. */
export const manyWords = area(
  {
    act: { approve: "Approve for people's data", block: 'Block', unblock: 'Let in again' },
    labels: 'Print labels',
    done: {
      approve: many("1 device now receives people's data.", count => `${count} devices now receive people's data.`),
      block: many('1 device is blocked.', count => `${count} devices are blocked.`),
      unblock: many('1 device is let in again.', count => `${count} devices are let in again.`),
    },
  },
  {
    act: { approve: '批准接收人员数据', block: '停用', unblock: '重新启用' },
    labels: '打印标签',
    done: {
      approve: count => `${count} 台设备已可接收人员数据。`,
      block: count => `已停用 ${count} 台设备。`,
      unblock: count => `已重新启用 ${count} 台设备。`,
    },
  },
);
