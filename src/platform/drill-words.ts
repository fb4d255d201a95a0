/** Sentences of the drill that commands and pages both say. */
interface DrillWords {
  readonly outcomes: {
    readonly passed: string;
    readonly failed: string;
    readonly stopped: string;
    readonly expired: string;
    readonly broken: (why: string) => string;
  };
  /** Advice for a card that failed. */
  readonly buy: string;
  readonly unknownCard: string;
  readonly device: (name: string, serial: string, size: string) => string;
  readonly cutHeld: (cut: number, seen: string) => string;
  readonly cutLost: (cut: number, seen: string, missing: string, first: string) => string;
  readonly forgot: (cut: number, seen: string) => string;
  readonly speed: (p50: string, p99: string, syncs: string, megabytes: string) => string;
  readonly records: (alone: string, together: string) => string;
  readonly terminals: (count: string) => string;
  readonly years: (years: string, megabytes: string) => string;
  readonly manyYears: (megabytes: string) => string;
  readonly assumed: string;
}

export const drillWords: Readonly<Record<'en' | 'zh-CN', DrillWords>> = {
  en: {
    outcomes: {
      passed: 'The card keeps its word: after three power cuts no number is missing.',
      failed: 'The card says "written" before it has written: a power cut loses records that the box has acknowledged.',
      stopped: 'The drill was stopped: there is no verdict.',
      expired: 'The drill was begun and not finished: there is no verdict.',
      broken: why => `The card cannot be written: ${why}`,
    },
    buy: 'Buy an industrial card or a "high endurance" card of class A1 or A2, or an SSD. Make a backup, flash the new card, restore the backup, and repeat the drill.',
    unknownCard: 'unknown card (the system does not say which)',
    device: (name, serial, size) => [name, serial && `serial ${serial}`, size].filter(Boolean).join(', '),
    cutHeld: (cut, seen) => `Cut ${cut}: ${seen} was seen, no number is missing.`,
    cutLost: (cut, seen, missing, first) =>
      `Cut ${cut}: ${seen} was seen, ${missing} numbers are missing, the first is ${first}.`,
    forgot: (cut, seen) => `Cut ${cut}: ${seen} was seen, and the card has nothing of it.`,
    speed: (p50, p99, syncs, megabytes) =>
      `A synced write takes ${p50} ms, 99 of 100 take at most ${p99} ms; ${syncs} a second. Long writes: ${megabytes} MB/s.`,
    records: (alone, together) =>
      `Enough for ${alone} records a second that come alone, or ${together} that come together.`,
    terminals: count => `Enough for ${count} terminals at which somebody punches every two seconds.`,
    years: (years, megabytes) => `At ${megabytes} MB a day it lasts about ${years} years.`,
    manyYears: megabytes => `At ${megabytes} MB a day it lasts more than 100 years.`,
    assumed: 'Assumed for a new gateway: 20,000 records a day.',
  },
  'zh-CN': {
    outcomes: {
      passed: '存储卡可靠：断电三次，没有丢失任何编号。',
      failed: '存储卡在真正写入之前就报告“已写入”：断电会丢失网关已确认的记录。',
      stopped: '测试已停止，无结果。',
      expired: '测试未完成，无结果。',
      broken: why => `存储卡无法写入：${why}`,
    },
    buy: '请购买工业级存储卡，或 A1、A2 等级的“高耐久”存储卡，或固态硬盘。先备份，再写好新卡、恢复备份，然后重新测试。',
    unknownCard: '未知存储卡（系统没有提供型号）',
    device: (name, serial, size) => [name, serial && `序列号 ${serial}`, size].filter(Boolean).join('，'),
    cutHeld: (cut, seen) => `第 ${cut} 次断电：最后看到 ${seen}，没有丢失编号。`,
    cutLost: (cut, seen, missing, first) =>
      `第 ${cut} 次断电：最后看到 ${seen}，丢失 ${missing} 个编号，最早的是 ${first}。`,
    forgot: (cut, seen) => `第 ${cut} 次断电：最后看到 ${seen}，存储卡上什么也没有留下。`,
    speed: (p50, p99, syncs, megabytes) =>
      `一次落盘写入需 ${p50} 毫秒，99% 不超过 ${p99} 毫秒；每秒 ${syncs} 次。连续写入：${megabytes} MB/s。`,
    records: (alone, together) => `每秒可承受 ${alone} 条单独到达的记录，或 ${together} 条同时到达的记录。`,
    terminals: count => `可承受 ${count} 台每两秒打卡一次的终端。`,
    years: (years, megabytes) => `按每天写入 ${megabytes} MB 计算，约可使用 ${years} 年。`,
    manyYears: megabytes => `按每天写入 ${megabytes} MB 计算，可使用 100 年以上。`,
    assumed: '网关刚启用，每天的写入量按 20,000 条记录估算。',
  },
};
