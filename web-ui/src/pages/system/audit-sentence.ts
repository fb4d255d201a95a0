import { area } from '../../words/index.ts';
import { auditActions } from './audit-actions.ts';

interface Said {
  readonly what: string;
  /** Who or what it was done to; empty: it stands in the entry's subject, or nowhere. */
  readonly about: string;
}

/** A path of an operation as the log writes it: with ids, or with `:id` where it was refused. */
const patternOf = (action: string): RegExp =>
  new RegExp(`^${action.replaceAll(/\{\w+\}/g, '([^/]+)').replaceAll('/', '\\/')}$`);
const patterns = new Map<string, RegExp>();

/** What an entry says in the language of the page. Null: no sentence is known. */
export function auditSentence(action: string): Said | null {
  for (const [known, what] of Object.entries(auditActions.value)) {
    let pattern = patterns.get(known);
    if (!pattern) {
      pattern = patternOf(known);
      patterns.set(known, pattern);
    }
    const found = pattern.exec(action);
    if (found) return { what, about: found.slice(1).map(plain).filter(Boolean).join(' ') };
  }
  return null;
}

/** `:id` stands for one that was not written down. */
function plain(part: string): string {
  if (part.startsWith(':')) return '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const chinese: readonly (readonly [RegExp, string])[] = [
  [/^needs the role admin$/, '需要管理员权限'],
  [/^needs the role staff$/, '需要职员权限'],
  [/^needs the role viewer$/, '需要登录权限'],
  [/^with secrets$/, '包含密钥'],
  [/^employment of ([^:]*): (.*)$/, '$1 的在职日期：$2'],
  [/^leave of ([^:]*): (.*)$/, '$1 的请假：$2'],
  [/^all entries$/, '全部记录'],
  [/^(\d+) bytes$/, '$1 字节'],
  [/^features of (.*)$/, '$1 的特征'],
  [/^photo of a stranger, passage (\d+)$/, '陌生人的照片，门禁记录 $1'],
  [/^photo of passage (\d+)$/, '照片，门禁记录 $1'],
  [/^photo of (.*), passage (\d+)$/, '$1 的照片，门禁记录 $2'],
  [/^check-ins of (\d{4}-\d{2})(.*)$/, '$1 的打卡记录$2'],
  [/^new devices of (\S+) for an hour$/, '$1 的新设备，一小时'],
  [/^(\S+) to this box$/, '$1，移到本网关'],
  [/^(\S+) to (\S+)$/, '$1，移到 $2'],
  [/^may receive people's data: (.*)$/, '允许接收人员数据：$1'],
  [/^receives no people's data: (.*)$/, '不再接收人员数据：$1'],
  [/^employees: looked at only$/, '人员：仅检查'],
  [/^departments: looked at only$/, '部门：仅检查'],
  [/^employees: (\d+) of (\d+) rows changed$/, '人员：$2 行中有 $1 行更改'],
  [/^departments: (\d+) of (\d+) rows changed$/, '部门：$2 行中有 $1 行更改'],
  [/^(\S+): genuine$/, '$1：真实'],
  [/^(\S+): not genuine$/, '$1：不符'],
  [/^attendance (\S+)$/, '考勤接口 $1'],
  [/^services (\S+)$/, '公共服务 $1'],
  [/^oauth (\S+)$/, '登录授权 $1'],
];

/** The subject of an entry, which the box writes in English. */
export const auditSubject = area(
  { of: (text: string) => text },
  {
    of: (text: string) => {
      for (const [pattern, words] of chinese) if (pattern.test(text)) return text.replace(pattern, words);
      return text;
    },
  },
);
