import { area } from '../words/index.ts';

export const pictureWords = area(
  {
    asTable: 'As a table',
    hideTable: 'Hide the table',
    hint: 'The arrow keys read the values.',
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
