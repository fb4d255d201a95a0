import { kind, split, state, type Value, wordOf } from './audit-names.ts';
import { sentences } from './sentences.ts';

/**
 * Subjects of entries of the audit log; for those of plans see audit-plans.ts. The page names the
 * people of `who`, the device of `device`, either of `ids`, and the first of each line of `items`.
 */

const setting = wordOf({
  ...{ name: '名称', timezone: '时区', locale: '语言' },
  ...{ records: '记录保存天数', logs: '日志保存天数' },
});

/** Of a change of many. */
interface Many {
  /** The first of them, with commas; empty: none. */
  readonly ids: string;
  /** How many are not named. */
  readonly more: number;
}
const manyEn = ({ ids, more }: Many): string => `${ids || 'none'}${more === 0 ? '' : ` and ${more} more`}`;
const manyZh = ({ ids, more }: Many): string =>
  `${split(ids, ', ').join('、') || '无'}${more === 0 ? '' : ` 等，另有 ${more} 个`}`;

/** Of a correction. */
interface Items {
  /** A line each: who, time, and the day on which it counts or nothing, with tabs. */
  readonly items: string;
  readonly more: number;
  /** How the items change: `add`, `set_aside`, or `` for what they say themselves. */
  readonly how: string;
}
const items = (
  { items: list, more, how }: Items,
  say: { readonly added: string; readonly without: string; readonly counts: string; readonly more: string },
): string => {
  const each = split(list, '\n').map(line => {
    const [who = '', time = '', day = ''] = line.split('\t');
    if (how === 'add') return `${who}: ${say.added}${time}`;
    return `${who}: ${time}${how === 'set_aside' ? say.without : day === '' ? '' : `${say.counts}${day}`}`;
  });
  return `${each.join('; ')}${more === 0 ? '' : say.more}`;
};
const itemsEn = (of: Items): string =>
  items(of, {
    ...{ added: 'none → ', without: ' → ignored', counts: ' → counts on ' },
    more: `; and ${of.more} more`,
  });
const itemsZh = (of: Items): string =>
  items(of, { added: '补卡 ', without: ' → 作废', counts: ' → 归属 ', more: `；另有 ${of.more} 条` });

/** Of a closed month. */
interface Period {
  readonly month: string;
  /** Name of a department; empty: the whole site. */
  readonly scope: string;
  readonly revision: number;
}
const periodEn = ({ month, scope, revision }: Period): string =>
  `month ${month}, ${scope || 'the whole site'}, revision ${revision}`;
const periodZh = ({ month, scope, revision }: Period): string => `${month}，${scope || '全部人员'}，第 ${revision} 版`;

/** Reasons of a closing that ended after whoever asked had gone. */
const notClosed: Readonly<Record<'en' | 'zh', Readonly<Record<string, string>>>> = {
  en: {
    in_the_way: 'something was not settled',
    nobody: 'nobody was in the scope whose month was open',
    failed: 'it was cut again and again',
  },
  zh: { in_the_way: '有未解决事项', nobody: '范围内没有未封存的人员', failed: '多次中断' },
};

/** Names with a comma before each; empty ones are left out. */
const behind = (...names: readonly Value[]): string =>
  names
    .filter(name => name !== '')
    .map(name => `, ${name}`)
    .join('');

/** Part of the people in an export; empty: all of them. */
interface Part {
  readonly month: string;
  readonly department: string;
  readonly who: string;
}

export const auditSubjects = sentences({
  with_secrets: { en: 'with secrets', zh: '包含密钥' },
  all_entries: { en: 'all entries', zh: '全部记录' },
  bytes: { en: ({ bytes }: { bytes: number }) => `${bytes} bytes`, zh: ({ bytes }) => `${bytes} 字节` },

  features: { en: ({ who }: { who: string }) => `features of ${who}`, zh: ({ who }) => `${who} 的特征` },
  features_of_type: {
    en: ({ who, type }: { who: string; type: string }) => `${type} of ${who}`,
    zh: ({ who, type }) => `${who} 的特征 ${type}`,
  },
  access_with_photos: { en: 'access records with photos', zh: '通行记录，含照片' },
  photo_of: {
    en: ({ who, passage }: { who: string; passage: number }) => `photo of ${who}, passage ${passage}`,
    zh: ({ who, passage }) => `${who} 的照片，门禁记录 ${passage}`,
  },
  photo_of_stranger: {
    en: ({ passage }: { passage: number }) => `photo of a stranger, passage ${passage}`,
    zh: ({ passage }) => `陌生人的照片，门禁记录 ${passage}`,
  },
  photo: {
    en: ({ passage }: { passage: number }) => `photo of passage ${passage}`,
    zh: ({ passage }) => `照片，门禁记录 ${passage}`,
  },

  checkins_of_month: {
    en: ({ month, department, who, box }: Part & { box: string }) =>
      `check-ins of ${month}${behind(department, who, box)}`,
    zh: ({ month, department, who, box }) => `${month} 的打卡记录${behind(department, who, box)}`,
  },
  month: {
    en: ({ month, department, who }: Part) => `month ${month}${behind(department, who)}`,
    zh: ({ month, department, who }) => `${month} 的月度汇总${behind(department, who)}`,
  },
  month_columns: {
    en: ({ columns }: { columns: string }) => `columns of the month for payroll: ${columns}`,
    zh: ({ columns }) => `月度汇总的列：${columns}`,
  },
  joined: {
    en: ({ written, who }: { written: string; who: string }) => `${written} → ${who}`,
    zh: ({ written, who }) => `${written} 归属 ${who}`,
  },
  added_for_unknown: {
    en: ({ people, department }: { people: number; department: string }) =>
      `${people === 1 ? 'one person' : `${people} people`} for unknown ids, in department ${department}`,
    zh: ({ people, department }) => `为未知编号添加 ${people} 人，部门 ${department}`,
  },
  period: { en: (of: Period) => periodEn(of), zh: of => periodZh(of) },
  period_closed: {
    en: (of: Period & { people: number; hash: string; why: string }) =>
      `${periodEn(of)}, ${of.people} people, hash ${of.hash}${of.why === '' ? '' : `; ${of.why}`}`,
    zh: of => `${periodZh(of)}，${of.people} 人，校验值 ${of.hash}${of.why === '' ? '' : `；${of.why}`}`,
  },
  period_closed_later: {
    en: (of: Period & { people: number; hash: string; why: string }) =>
      `${periodEn(of)}, ${of.people} people, hash ${of.hash}${of.why === '' ? '' : `; ${of.why}`}; begun again after it was cut`,
    zh: of =>
      `${periodZh(of)}，${of.people} 人，校验值 ${of.hash}${of.why === '' ? '' : `；${of.why}`}；中断后重新封存`,
  },
  period_not_closed: {
    en: ({ month, scope, why }: Omit<Period, 'revision'> & { why: string }) =>
      `month ${month}, ${scope || 'the whole site'}: not closed, ${notClosed.en[why] ?? why}`,
    zh: ({ month, scope, why }) => `${month}，${scope || '全部人员'}：未封存，${notClosed.zh[why] ?? why}`,
  },
  period_reopened: {
    en: (of: Period & { state: string; why: string }) => `${periodEn(of)}: closed → ${of.state}; ${of.why}`,
    zh: of => `${periodZh(of)}：${state('closed')} → ${state(of.state)}；${of.why}`,
  },
  period_decided: {
    en: (of: Period & { state: string }) => `${periodEn(of)}: reopening asked → ${of.state}`,
    zh: of => `${periodZh(of)}：${state('reopening asked')} → ${state(of.state)}`,
  },

  correction: {
    en: (of: Items & { id: number; state: string; why: string }) =>
      `correction ${of.id} ${of.state}: ${itemsEn(of)}; ${of.why}`,
    zh: of => `考勤调整 ${of.id}（${state(of.state)}）：${itemsZh(of)}；${of.why}`,
  },
  correction_undone: {
    en: (of: Items & { id: number; state: string; undone: number; why: string }) =>
      `correction ${of.id} ${of.state}: undoes correction ${of.undone} (${itemsEn(of)}); ${of.why}`,
    zh: of => `考勤调整 ${of.id}（${state(of.state)}）：撤销考勤调整 ${of.undone}（${itemsZh(of)}）；${of.why}`,
  },
  correction_decided: {
    en: (of: Items & { id: number; state: string }) => `correction ${of.id}: asked → ${of.state} (${itemsEn(of)})`,
    zh: of => `考勤调整 ${of.id}：${state('asked')} → ${state(of.state)}（${itemsZh(of)}）`,
  },

  drill_minutes: { en: ({ minutes }: { minutes: number }) => `${minutes} min`, zh: ({ minutes }) => `${minutes} 分钟` },
  card_seen: {
    en: ({ drill, cut, number }: { drill: string; cut: number; number: number }) =>
      `${drill}, cut ${cut}, number ${number}`,
    zh: ({ drill, cut, number }) => `${drill}，第 ${cut} 次断电，编号 ${number}`,
  },
  mute_ended: { en: 'off', zh: '取消静音' },

  new_devices: {
    en: ({ product }: { product: string }) => `new devices of ${product} for an hour`,
    zh: ({ product }) => `${product} 的新设备，一小时`,
  },
  moved_here: {
    en: ({ device }: { device: string }) => `${device} to this gateway`,
    zh: ({ device }) => `${device}，移到本网关`,
  },
  moved_to_box: {
    en: ({ device, box }: { device: string; box: string }) => `${device} to ${box}`,
    zh: ({ device, box }) => `${device}，移到 ${box}`,
  },
  may_receive: {
    en: (of: Many) => `approved for personal data: ${manyEn(of)}`,
    zh: of => `允许接收人员数据：${manyZh(of)}`,
  },
  receives_none: {
    en: (of: Many) => `personal data stopped: ${manyEn(of)}`,
    zh: of => `不再接收人员数据：${manyZh(of)}`,
  },
  devices_blocked: { en: (of: Many) => `blocked: ${manyEn(of)}`, zh: of => `停用：${manyZh(of)}` },
  let_in_again: { en: (of: Many) => `unblocked: ${manyEn(of)}`, zh: of => `恢复接入：${manyZh(of)}` },
  devices_blocked_many: { en: 'blocked: many devices', zh: '停用：多台设备' },
  let_in_again_many: { en: 'unblocked: many devices', zh: '恢复接入：多台设备' },
  undo_of_many: {
    en: ({ change }: { change: number }) => `undo of change ${change} of many devices`,
    zh: ({ change }) => `撤销对多台设备的批量更改 ${change}`,
  },
  as_before: {
    en: (of: Many & { change: number }) => `as before change ${of.change} of many: ${manyEn(of)}`,
    zh: of => `撤销批量更改 ${of.change}：${manyZh(of)}`,
  },
  moved_to_department: {
    en: (of: Many & { department: string }) => `moved to department ${of.department}: ${manyEn(of)}`,
    zh: of => `移到部门 ${of.department}：${manyZh(of)}`,
  },
  last_day: {
    en: (of: Many & { day: string }) => `last day ${of.day}: ${manyEn(of)}`,
    zh: of => `最后工作日 ${of.day}：${manyZh(of)}`,
  },
  employed_again: { en: (of: Many) => `employed again: ${manyEn(of)}`, zh: of => `恢复在职：${manyZh(of)}` },

  looked_at_only: {
    en: ({ list }: { list: string }) => `previewed an import (${list})`,
    zh: ({ list }) => `预览导入（${kind(list)}）`,
  },
  rows_changed: {
    en: ({ list, changed, rows }: { list: string; changed: number; rows: number }) =>
      `${list}: ${changed} of ${rows} rows changed`,
    zh: ({ list, changed, rows }) => `${kind(list)}：${rows} 行中有 ${changed} 行更改`,
  },
  entries_changed: {
    en: ({ list, changed, entries }: { list: string; changed: number; entries: number }) =>
      `${list}: ${changed} of ${entries} entries changed`,
    zh: ({ list, changed, entries }) => `${kind(list)}：${entries} 项中有 ${changed} 项更改`,
  },
  exported: { en: ({ what }: { what: string }) => String(what), zh: ({ what }) => `读取${kind(what)}` },
  exported_with_photos: {
    en: ({ what }: { what: string }) => `${what} with photos`,
    zh: ({ what }) => `读取${kind(what)}，含照片`,
  },
  freed: {
    en: ({ what, kilobytes }: { what: string; kilobytes: number }) => `${what}: ${kilobytes} kB`,
    zh: ({ what, kilobytes }) => `${kind(what)}：腾出 ${kilobytes} kB`,
  },
  freed_of_days: {
    en: ({ what, days, kilobytes }: { what: string; days: number; kilobytes: number }) =>
      `${what}, ${days} days: ${kilobytes} kB`,
    zh: ({ what, days, kilobytes }) => `${kind(what)}，保存 ${days} 天：腾出 ${kilobytes} kB`,
  },
  genuine: { en: ({ device }: { device: string }) => `${device}: genuine`, zh: ({ device }) => `${device}：真实` },
  not_genuine: {
    en: ({ device }: { device: string }) => `${device}: not genuine`,
    zh: ({ device }) => `${device}：不符`,
  },
  no_device_id: { en: 'no device ID: not genuine', zh: '不是设备编号：不符' },
  site_settings: {
    /** A line for each change: the setting, its value before and after, with tabs. */
    en: ({ changes }: { changes: string }) =>
      split(changes, '\n')
        .map(line => {
          const [what = '', from = '', to = ''] = line.split('\t');
          return what === 'records' || what === 'logs'
            ? `${what} kept: ${from} → ${to} days`
            : `${what}: ${from} → ${to}`;
        })
        .join('; '),
    zh: ({ changes }) =>
      split(changes, '\n')
        .map(line => {
          const [what = '', from = '', to = ''] = line.split('\t');
          return `${setting(what)}由 ${from} 改为 ${to}`;
        })
        .join('；'),
  },
  update: {
    en: ({ of, version }: { of: string; version: string }) => `${of} ${version}`,
    zh: ({ of, version }) => `${kind(of)} ${version} 版`,
  },
  update_to_older: {
    en: ({ of, version, than }: { of: string; version: string; than: string }) =>
      `${of} ${version}, older than ${than}: allowed`,
    zh: ({ of, version, than }) => `${kind(of)} ${version}，早于 ${than}：已允许`,
  },
  settings_of: {
    en: ({ keys }: { keys: string }) => String(keys),
    zh: ({ keys }) => `设置：${split(keys, ', ').map(kind).join('、')}`,
  },
  caller: {
    en: ({ of, id }: { of: string; id: string }) => `${of} ${id}`,
    zh: ({ of, id }) => `调用方：${kind(of)} ${id}`,
  },
  caller_path: {
    en: ({ of, id, path }: { of: string; id: string; path: string }) => `${of} ${id} ${path}`,
    zh: ({ of, id, path }) => `调用方：${kind(of)} ${id} ${path}`,
  },
});
