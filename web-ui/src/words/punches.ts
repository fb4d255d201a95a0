import { area } from './index.ts';

/** How a person was recognized, and the result: the words of the reports (SPEC 2.15). */
export const punchWords = area(
  {
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
  {
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
);

export const typeWords = (type: string): string =>
  (punchWords.value.types as Readonly<Record<string, string>>)[type] ?? type;
export const resultWords = (result: number): string =>
  (punchWords.value.results as Readonly<Record<number, string>>)[result] ?? String(result);
