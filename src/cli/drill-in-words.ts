import type { CardResultReport, DrillReport } from '../admin/index.ts';
import { cutLine, drillLines } from '../platform/drill-lines.ts';
import { bytes, moment, number } from './wording.ts';

type Language = 'en' | 'zh-CN';

type Environment = Readonly<Record<string, string | undefined>>;

/** As programs choose it: the first of LC_ALL, LC_MESSAGES and LANG that is set. */
const languageOf = ({ LC_ALL, LC_MESSAGES, LANG }: Environment): Language =>
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
export function resultInWords(env: Environment, result: CardResultReport): string {
  const { verdict, device, cuts, figures, todo } = drillLines(languageOf(env), result, { number, bytes });
  return [
    verdict,
    ...[device, ...cuts, ...figures].map(line => `  ${line}`),
    ...(todo === null ? [] : [todo]),
    `${result.id}, ${moment(result.ended_at)}`,
    '',
  ].join('\n');
}
