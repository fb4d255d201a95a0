import type { Language } from './asked-language.ts';

interface ShellWords {
  readonly path: Readonly<Record<'label' | 'devices' | 'box' | 'cloud', string>>;
  readonly more: string;
  readonly search: string;
  readonly loading: string;
}

/**
 * Words of the shell before the code of the pages is there, beside the names of the pages. They
 * stand in the first response, so that they are only those seen at once.
 */
export const shellWords = {
  en: {
    path: { label: 'Data flow', devices: 'Devices', box: 'This gateway', cloud: 'Cloud' },
    more: 'More',
    search: 'Search',
    loading: 'Loading …',
  },
  'zh-CN': {
    path: { label: '数据流向', devices: '设备', box: '本网关', cloud: '云平台' },
    more: '更多',
    search: '搜索',
    loading: '正在加载……',
  },
} as const satisfies Readonly<Record<Language, ShellWords>>;
