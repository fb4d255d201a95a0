import { clockText, type Language, spanText } from '../../platform/clock-text.ts';
import { clockWords, isClockWrong, lateSeconds } from '../../platform/device-clock.ts';
import { recordWords, resultWords, typeWords } from '../../platform/record-words.ts';
import type { UnixSeconds } from '../../runtime/clock.ts';
import type { CheckInSource, ReportRow } from '../../store/index.ts';
import { idWidth } from './workbook.ts';

/**
 * Fields of a record for people: the columns of the CSV and XLSX reports, in the site's language.
 */

export const reportLanguage = (locale: string): Language => (/^zh/i.test(locale) ? 'zh-CN' : 'en');

/**
 * Text is never a number or formula, however it looks, and empty without a value; a number is a
 * moment, shown in the site's time zone; `day` is a date such as `2026-11-20`.
 */
type Cell = string | UnixSeconds | { readonly day: string };

export interface Column {
  readonly header: string;
  /** In characters. */
  readonly width: number;
  readonly kind: 'text' | 'moment';
  readonly cell: (row: ReportRow) => Cell;
}

type Labels<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>;

type Header =
  | 'employee_num'
  | 'name'
  | 'department'
  | 'check_time'
  | 'check_type'
  | 'device_name'
  | 'terminal_id'
  | 'door'
  | 'result'
  | 'received'
  | 'late'
  | 'clock'
  | 'corrected'
  | 'ext_id'
  | 'user_id'
  | 'id'
  | 'device_id'
  | 'source'
  | 'set_aside'
  | 'counts_on'
  | 'reason';

const headers: Labels<Header> = {
  'zh-CN': {
    employee_num: '工号',
    name: '姓名',
    department: '部门',
    check_time: '打卡时间',
    check_type: '打卡方式',
    device_name: '设备名称',
    terminal_id: '终端',
    door: '门',
    result: '结果',
    received: '接收时间',
    late: '延迟到达',
    clock: '设备时钟',
    corrected: '校正时间',
    ext_id: '人员编号',
    user_id: '系统编号',
    id: '记录编号',
    device_id: '设备编号',
    source: '来源',
    set_aside: '作废',
    counts_on: '归属日期',
    reason: '考勤调整原因',
  },
  en: {
    employee_num: 'Employee number',
    name: 'Name',
    department: 'Department',
    check_time: 'Check time',
    check_type: 'Check type',
    device_name: 'Device',
    terminal_id: 'Terminal',
    door: 'Door',
    result: 'Result',
    received: 'Received',
    late: 'Arrived late',
    clock: 'Device clock',
    corrected: 'Corrected time',
    ext_id: 'Employee ID',
    user_id: 'Internal ID',
    id: 'Record ID',
    device_id: 'Device ID',
    source: 'Source',
    set_aside: 'Ignored',
    counts_on: 'Counted on',
    reason: 'Reason',
  },
};

export const sourceWords: Labels<CheckInSource> = {
  'zh-CN': { device: '设备', added: '补卡', imported: '云平台' },
  en: { device: 'device', added: 'added', imported: 'imported' },
};
export const yesWords: Readonly<Record<Language, string>> = { 'zh-CN': '是', en: 'yes' };

const moments: ReadonlySet<Header> = new Set(['check_time', 'received', 'corrected']);

/** Rows of the cloud, and added ones, have no device here: nothing is said of their clocks. */
const isOfDevice = (row: ReportRow): boolean => row.deviceId !== '';

const lateNote = (language: Language, row: ReportRow): string => {
  const late = lateSeconds({ clock: row.clock, at: row.checkTime, receivedAt: row.receivedAt });
  return late === null ? '' : spanText(language, late);
};

const clockNote = (language: Language, row: ReportRow): string =>
  isOfDevice(row) ? clockText(language, clockWords(row.clock)) : '';

/** Only where the clock is proved wrong: a guess is no time to pay by. */
const correctedTime = (row: ReportRow): Cell => {
  const words = clockWords(row.clock);
  return words.within !== null && isClockWrong(words) ? row.checkTime - words.offset! : '';
};

/**
 * The columns of check-ins, or of access records. The device's time is shown as sent; whether the
 * record came late, what is known of the clock, and the time where that is proved wrong, follow; at
 * the end of check-ins what corrections did.
 */
export function columnsOf(what: 'checkins' | 'access', language: Language): Column[] {
  const column = (name: Header, width: number, cell: (row: ReportRow) => Cell): Column => ({
    header: headers[language][name],
    width,
    kind: moments.has(name) ? 'moment' : 'text',
    cell,
  });
  return [
    column('employee_num', idWidth, row => row.employeeNum),
    column('name', 14, row => row.name),
    column('department', 18, row => row.department),
    column('check_time', 20, row => row.checkTime),
    column('check_type', 12, row => typeWords(language, row.checkType)),
    ...(what === 'access'
      ? [column('door', 14, row => row.doorId), column('result', 14, row => resultWords(language, row.checkResult))]
      : []),
    column('device_name', 18, row => row.deviceName || (row.source === 'imported' ? recordWords[language].cloud : '')),
    column('terminal_id', 14, row => row.terminalId),
    column('received', 20, row => Math.floor(row.receivedAt / 1000)),
    column('late', 14, row => lateNote(language, row)),
    column('clock', 24, row => clockNote(language, row)),
    column('corrected', 20, correctedTime),
    column('ext_id', idWidth, row => row.extId),
    column('user_id', 12, row => row.userId),
    column('id', 12, row => String(row.id)),
    column('device_id', 20, row => row.deviceId),
    ...(what === 'checkins'
      ? [
          column('source', 10, row => sourceWords[language][row.source]),
          column('set_aside', 10, row => (row.mark?.setAside ? yesWords[language] : '')),
          column('reason', 24, row => row.mark?.reason ?? ''),
          column('counts_on', 12, row => (row.mark?.workDate ? { day: row.mark.workDate } : '')),
        ]
      : []),
  ];
}
