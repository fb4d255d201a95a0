import { area } from '../../words/index.ts';

export const words = area(
  {
    sentence: 'Every change is recorded here, and every view of a photo or feature.',
    of: (actor: string) => `What ${actor} did.`,
    caption: 'Audit log, the newest first',
    person: 'Person',
    text: 'Contains',
    go: 'Filter',
    clear: 'Show all',
    at: 'When',
    who: 'Who',
    what: 'What',
    about: 'About',
    from: 'From',
    outcome: 'Outcome',
    outcomes: { done: 'done', refused: 'refused' },
    nobody: 'somebody unknown',
    command: 'a command on the box',
    box: 'the box itself',
    times: (count: string) => `${count} times`,
    undoable: {
      title: 'Changes of many that can be undone',
      hint: 'For a week, the newest 20. What somebody has changed since stays as it is.',
      none: 'There are none.',
      undo: 'Undo',
      undoOf: (what: string) => `Undo: ${what}`,
      whats: {
        people_data: (rows: string) => `Devices approved for people’s data: ${rows}`,
        blocked: (rows: string) => `Devices blocked or let in: ${rows}`,
        department: (rows: string) => `People moved to a department: ${rows}`,
        left: (rows: string) => `People whose last day was set: ${rows}`,
      },
    },
    chain: {
      holds: 'The log is intact: no entry was changed, removed or inserted.',
      broken: (id: number, why: string) =>
        `The log is not intact. The first entry that fails the check is number ${id}: ${why}.`,
      empty: 'There are no entries yet.',
      counted: (entries: string) =>
        entries === '1' ? 'One entry was checked just now.' : `${entries} entries were checked just now.`,
      outside: (entries: string) =>
        entries === '1'
          ? 'One older entry has no hash and cannot be checked.'
          : `${entries} older entries have no hash and cannot be checked.`,
      heads: 'Lines to keep elsewhere',
      headsHint:
        'Somebody who can write to the disk of the box can rewrite the whole log. Keep these lines elsewhere, and gatehouse audit verify --heads FILE detects it.',
      counting: 'The log is being checked.',
    },
  },
  {
    sentence: '所有更改以及对照片和人员特征的查看都记录在此。',
    of: actor => `${actor} 的操作`,
    caption: '操作记录，最新的在前',
    person: '人员',
    text: '包含文字',
    go: '筛选',
    clear: '显示全部',
    at: '时间',
    who: '操作人',
    what: '操作',
    about: '对象',
    from: '地址',
    outcome: '结果',
    outcomes: { done: '成功', refused: '被拒绝' },
    nobody: '未知人员',
    command: '网关上的命令',
    box: '网关自身',
    times: count => `${count} 次`,
    undoable: {
      title: '可以撤销的批量操作',
      hint: '保留一周，最多最新的 20 次。之后又被更改的内容保持不变。',
      none: '没有。',
      undo: '撤销',
      undoOf: what => `撤销：${what}`,
      whats: {
        people_data: rows => `批准设备接收人员数据：${rows} 台`,
        blocked: rows => `停用或恢复设备：${rows} 台`,
        department: rows => `人员调整部门：${rows} 人`,
        left: rows => `设置人员最后工作日：${rows} 人`,
      },
    },
    chain: {
      holds: '记录完整：没有条目被更改、删除或插入。',
      broken: (id, why) => `记录不完整。第一条不符的记录是第 ${id} 条：${why}`,
      empty: '还没有记录。',
      counted: entries => `刚刚重新核对了 ${entries} 条记录。`,
      outside: entries => `另有 ${entries} 条较早的记录没有校验值，无法核对。`,
      heads: '需另行保存的校验值',
      headsHint:
        '能写网关磁盘的人可以重写整份记录。把这些行保存在别处，以后用 gatehouse audit verify --heads FILE 就能查出。',
      counting: '正在重新核对记录。',
    },
  },
);
