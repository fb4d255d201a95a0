import { area } from '../../words/index.ts';

const people = (count: number | string) => (String(count) === '1' ? '1 person' : `${count} people`);

/** Words for changes of many people at once. */
export const manyWords = area(
  {
    move: 'Move to a department …',
    leave: 'Have left …',
    moveTitle: (count: number) => `Move ${people(count)}`,
    leaveTitle: (count: number) => `Last day of ${people(count)}`,
    leaveLead:
      'Check-ins and reports stay. At the end of the last day the terminals forget them, and they open no door after it.',
    department: 'Department',
    lastDay: 'Last day',
    lastDayHint: 'Empty: they have not left.',
    moveGo: 'Move',
    leaveGo: 'Save',
    moved: (count: string, department: string) => `Moved to ${department}: ${people(count)}.`,
    left: (count: string, day: string) => `Last day ${day}: ${people(count)}.`,
    back: (count: string) => `Employed again: ${people(count)}.`,
  },
  {
    move: '调整部门…',
    leave: '设置离职…',
    moveTitle: count => `调整 ${count} 人的部门`,
    leaveTitle: count => `设置 ${count} 人的离职日期`,
    leaveLead: '打卡记录和报表保留。最后工作日结束后，终端会删除这些人员，他们不能再开门。',
    department: '部门',
    lastDay: '最后工作日',
    lastDayHint: '留空表示在职。',
    moveGo: '调整',
    leaveGo: '保存',
    moved: (count, department) => `已将 ${count} 人调到${department}。`,
    left: (count, day) => `已将 ${count} 人的最后工作日设为 ${day}。`,
    back: count => `${count} 人已恢复在职。`,
  },
);
