import { area } from '../../words/index.ts';

const people = (count: number | string) => (String(count) === '1' ? '1 employee' : `${count} employees`);

/** Words for changes of many people at once. */
export const manyWords = area(
  {
    move: 'Move to department…',
    leave: 'Offboard…',
    moveTitle: (count: number) => `Move ${people(count)}`,
    leaveTitle: (count: number) => `Offboard ${people(count)}`,
    leaveLead: 'Check-ins and reports are kept. After the last day the terminals delete them, and access ends.',
    department: 'Department',
    lastDay: 'Last day',
    lastDayHint: 'Leave blank for active employees.',
    moveGo: 'Move',
    leaveGo: 'Save',
    moved: (count: string, department: string) => `Moved ${people(count)} to ${department}`,
    left: (count: string, day: string) => `Last day of ${people(count)}: ${day}`,
    back: (count: string) => `${people(count)} active again`,
  },
  {
    move: '调整部门…',
    leave: '批量办理离职…',
    moveTitle: count => `调整 ${count} 人的部门`,
    leaveTitle: count => `为 ${count} 人办理离职`,
    leaveLead: '打卡记录和报表保留。最后工作日结束后，终端删除这些人员，门禁失效。',
    department: '部门',
    lastDay: '最后工作日',
    lastDayHint: '在职人员留空。',
    moveGo: '调整',
    leaveGo: '保存',
    moved: (count, department) => `已将 ${count} 人调到${department}`,
    left: (count, day) => `${count} 人的最后工作日：${day}`,
    back: count => `${count} 人已恢复在职`,
  },
);
