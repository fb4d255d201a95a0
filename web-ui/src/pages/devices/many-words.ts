import { area } from '../../words/index.ts';

const many = (one: string, other: (count: string) => string) => (count: string) => (count === '1' ? one : other(count));

/** Words for changes of many devices at once. */
export const manyWords = area(
  {
    act: { approve: 'Approve personal data', block: 'Block', unblock: 'Unblock' },
    labels: 'Print labels',
    done: {
      approve: many('1 device approved', count => `${count} devices approved`),
      block: many('1 device blocked', count => `${count} devices blocked`),
      unblock: many('1 device unblocked', count => `${count} devices unblocked`),
    },
  },
  {
    act: { approve: '批准接收人员数据', block: '停用', unblock: '重新启用' },
    labels: '打印标签',
    done: {
      approve: count => `已批准 ${count} 台设备`,
      block: count => `已停用 ${count} 台设备`,
      unblock: count => `已重新启用 ${count} 台设备`,
    },
  },
);
