import type { CardResultReport, DrillReport } from '../admin/index.ts';
import { cutLine, drillLines } from '../platform/drill-lines.ts';
import { bytes, moment, number } from './wording.ts';

type Language = 'en' | 'zh-CN';

type Environment = Readonly<Record<string, string | undefined>>;

/** As programs choose it: the first of LC_ALL, LC_MESSAGES and LANG that is set. */
export const languageOf = ({ LC_ALL, LC_MESSAGES, LANG }: Environment): Language =>
  /^zh/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh-CN' : 'en';

interface DrillSaid {
  readonly none: string;
  readonly underWay: (card: NonNullable<DrillReport['card']>) => string;
  readonly begins: (id: string, cut: number, cuts: number) => string;
  readonly written: (count: number, of: number) => string;
  readonly pull: (count: number) => string;
  readonly gone: (last: number) => string;
  readonly awaitsSeen: (cut: number) => string;
  readonly notCut: string;
  readonly knowsNothing: string;
}

const said: Readonly<Record<Language, DrillSaid>> = {
  en: {
    none: 'no drill was made yet: gatehouse drill card',
    underWay: ({ id, cut, cuts, step, written }) =>
      `drill ${id} of the card is under way: cut ${cut} of ${cuts}, ${step}, number ${written}`,
    begins: (id, cut, cuts) => `drill ${id}: cut ${cut} of ${cuts}. The card is measured first, for about ten seconds.`,
    written: (count, of) => `${count} of ${of} written`,
    pull: count => `PULL THE PLUG NOW  ${count}`,
    gone: last =>
      `the box no longer answers. When it is back, run: gatehouse drill card --seen ${last}   (the last number that you saw)`,
    awaitsSeen: cut => `power cut ${cut} was made: write the last number that you saw: gatehouse drill card --seen N`,
    notCut: 'the power was not cut: pull the plug, do not stop the box',
    knowsNothing:
      'the box knows of no drill. If one was under way before the power cut, the card has forgotten it: add --id with the id that was printed at its start',
  },
  'zh-CN': {
    none: '还没有做过演练：gatehouse drill card',
    underWay: ({ id, cut, cuts, written }) =>
      `存储卡演练 ${id} 正在进行：第 ${cut} 次断电（共 ${cuts} 次），编号 ${written}`,
    begins: (id, cut, cuts) => `演练 ${id}：第 ${cut} 次断电（共 ${cuts} 次）。开始时先测量存储卡，约十秒。`,
    written: (count, of) => `已写入 ${count} / ${of}`,
    pull: count => `现在拔掉电源  ${count}`,
    gone: last => `网关不再响应。恢复后请运行：gatehouse drill card --seen ${last}   （您最后看到的编号）`,
    awaitsSeen: cut => `第 ${cut} 次断电已完成：请输入您最后看到的编号：gatehouse drill card --seen N`,
    notCut: '没有断电：请直接拔掉电源，不要正常关机',
    knowsNothing: '网关没有正在进行的演练。如果断电前正在演练，说明存储卡丢失了它：请用 --id 加上开始时显示的编号',
  },
};

export const drillSaid = (env: Environment) => ({
  ...said[languageOf(env)],
  cut: (found: CardResultReport['cuts'][number]) => cutLine(languageOf(env), found, number),
});

/** The whole of a result, a line for each fact. */
export function resultInWords(env: Environment, result: CardResultReport, timeZone: string): string {
  const { verdict, device, cuts, figures, todo } = drillLines(languageOf(env), result, { number, bytes });
  return [
    verdict,
    ...[device, ...cuts, ...figures].map(line => `  ${line}`),
    ...(todo === null ? [] : [todo]),
    `${result.id}, ${moment(result.ended_at, timeZone)}`,
    '',
  ].join('\n');
}

interface LineSaid {
  readonly notCut: string;
  readonly noResult: string;
  readonly cut: (until: string) => string;
  readonly outcomes: Readonly<Record<'passed' | 'failed' | 'silent', string>>;
  readonly times: (cut: string, restored: string) => string;
  readonly waiting: (count: string) => string;
  readonly columns: readonly string[];
}

const line: Readonly<Record<Language, LineSaid>> = {
  en: {
    notCut: 'the line is not cut',
    noResult: 'the drill of the line could not be finished: see `gatehouse logs --system`',
    cut: until => `the line is cut until ${until}; devices go on working. gatehouse drill line --end lets it go`,
    outcomes: {
      passed: 'All that devices said while the line was cut is stored, and the cloud has confirmed it.',
      failed: 'NOT all that devices said is stored and confirmed: see `gatehouse status`.',
      silent: 'No device said anything: there is no verdict. Repeat the drill while people punch.',
    },
    times: (cut, restored) => `cut ${cut}, restored ${restored}`,
    waiting: count => `${count} still wait for the cloud`,
    columns: ['device', 'said', 'stored', 'confirmed'],
  },
  'zh-CN': {
    notCut: '线路没有断开',
    noResult: '线路演练未能完成，请查看 `gatehouse logs --system`',
    cut: until => `线路断开至 ${until}，设备照常工作。gatehouse drill line --end 可提前恢复`,
    outcomes: {
      passed: '断线期间设备上报的内容全部已存储，并已由云平台确认。',
      failed: '设备上报的内容没有全部存储和确认，请查看 `gatehouse status`。',
      silent: '没有设备上报，没有结论。请在有人打卡时重新演练。',
    },
    times: (cut, restored) => `断开 ${cut}，恢复 ${restored}`,
    waiting: count => `仍有 ${count} 条等待上传`,
    columns: ['设备', '上报', '存储', '确认'],
  },
};

export const lineSaid = (env: Environment): LineSaid => line[languageOf(env)];

interface TerminalsSaid {
  readonly begun: (known: string, until: string) => string;
  readonly notUnderWay: string;
  readonly noResult: string;
  readonly outcomes: Readonly<Record<'passed' | 'failed' | 'silent', (done: string, known: string) => string>>;
  readonly noCloud: string;
  readonly columns: readonly string[];
  readonly unlisted: (count: string) => string;
}

const terminals: Readonly<Record<Language, TerminalsSaid>> = {
  en: {
    begun: (known, until) =>
      `The drill watches ${known} terminals until ${until}: punch once at each. gatehouse drill terminals --end ends it`,
    notUnderWay: 'no drill of the terminals is under way',
    noResult: 'the drill of the terminals could not be finished: see `gatehouse logs --system`',
    outcomes: {
      passed: (_, known) => `The punch of each of the ${known} terminals arrived.`,
      failed: (done, known) => `${done} of ${known} terminals are done; the others are named.`,
      silent: (_, known) => `Nobody punched at any of the ${known} terminals: there is no verdict.`,
    },
    noCloud: 'This box stands alone: a punch that is on its disk has arrived.',
    columns: ['terminal', 'state', 'punched, by its clock', 'received', 'then', 'why'],
    unlisted: count => `and ${count} more terminals`,
  },
  'zh-CN': {
    begun: (known, until) =>
      `正在检查 ${known} 台终端，至 ${until}：请在每台终端打卡一次。gatehouse drill terminals --end 可提前结束`,
    notUnderWay: '没有正在进行的终端演练',
    noResult: '终端演练未能完成，请查看 `gatehouse logs --system`',
    outcomes: {
      passed: (_, known) => `${known} 台终端的打卡全部到达。`,
      failed: (done, known) => `${known} 台终端中完成了 ${done} 台，其余如下。`,
      silent: (_, known) => `${known} 台终端都没有打卡，没有结论。`,
    },
    noCloud: '本网关独立运行：打卡落盘即为到达。',
    columns: ['终端', '状态', '打卡（终端时钟）', '收到', '随后', '原因'],
    unlisted: count => `另有 ${count} 台终端`,
  },
};

export const terminalsSaid = (env: Environment): TerminalsSaid => terminals[languageOf(env)];
