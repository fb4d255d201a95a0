import type { Language } from './clock-text.ts';
import type { CheckInType } from './reports.ts';

interface RecordWords {
  /** How a person was recognized (SPEC 2.15); `identity` is of access records of other makers. */
  readonly types: Readonly<Record<CheckInType | 'identity', string>>;
  readonly results: Readonly<Record<number, string>>;
  /** In place of the device of a record that only the cloud lists and that names no place. */
  readonly cloud: string;
}

/** The words of check-ins and access records, on pages and in reports. */
export const recordWords: Readonly<Record<Language, RecordWords>> = {
  'zh-CN': {
    types: {
      fa: '人脸',
      fp: '指纹',
      pass: '密码',
      card: '刷卡',
      app_scan: 'App 扫码',
      gps: 'GPS 定位',
      wifi: 'Wi-Fi',
      out_work: '外勤',
      reissue: '补卡',
      flexible: '弹性补卡',
      identity: '身份证',
    },
    results: { 0: '通过', 1: '无权限', 2: '陌生人', 8: '门已锁定', 9: '设备故障' },
    cloud: '云平台',
  },
  en: {
    types: {
      fa: 'Face',
      fp: 'Fingerprint',
      pass: 'Password',
      card: 'Card',
      app_scan: 'App scan',
      gps: 'GPS',
      wifi: 'Wi-Fi',
      out_work: 'Field work',
      reissue: 'Supplement',
      flexible: 'Flexible',
      identity: 'Identity card',
    },
    results: { 0: 'Passed', 1: 'No permission', 2: 'Stranger', 8: 'Door locked', 9: 'Device fault' },
    cloud: 'Cloud',
  },
};

export const typeWords = (language: Language, type: string): string =>
  (recordWords[language].types as Readonly<Record<string, string>>)[type] ?? type;
export const resultWords = (language: Language, result: number): string =>
  recordWords[language].results[result] ?? String(result);
