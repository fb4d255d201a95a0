import { area } from '../words/index.ts';

export const pictureWords = area(
  {
    asTable: 'Show table',
    hideTable: 'Hide table',
    hint: 'Read the values with the arrow keys.',
    time: 'Time',
    none: 'nothing',
    joint: '; ',
  },
  {
    asTable: '显示表格',
    hideTable: '隐藏表格',
    hint: '用方向键逐个读取数值。',
    time: '时间',
    none: '无',
    joint: '；',
  },
);
