import type { PunchState } from './drill.ts';

/** Texts of commands and pages for the punch of a terminal. */
interface PunchWords {
  readonly states: Readonly<Record<PunchState, string>>;
  /** A hop, so long after the box received the punch. */
  readonly stored: (later: string) => string;
  readonly sent: (later: string) => string;
  readonly confirmed: (later: string) => string;
  readonly ms: (count: string) => string;
  readonly seconds: (count: string) => string;
}

export const punchWords: Readonly<Record<'en' | 'zh-CN', PunchWords>> = {
  en: {
    states: {
      confirmed: 'confirmed by the cloud',
      stored: 'on the disk',
      sent: 'sent, not confirmed',
      waiting: 'on the disk, waits for the cloud',
      parked: 'refused by the cloud',
      bad: 'punch not understood',
      online: 'connected, no punch',
      held_back: 'held back, no punch',
      refused: 'login refused',
      silent: 'not connected',
      never: 'never heard of',
    },
    stored: later => `on the disk ${later}`,
    sent: later => `sent ${later}`,
    confirmed: later => `confirmed ${later}`,
    ms: count => `+${count} ms`,
    seconds: count => `+${count} s`,
  },
  'zh-CN': {
    states: {
      confirmed: '云平台已确认',
      stored: '已落盘',
      sent: '已发送，未确认',
      waiting: '已落盘，等待上传',
      parked: '云平台拒收',
      bad: '打卡内容有误',
      online: '已连接，没有打卡',
      held_back: '暂缓接入，没有打卡',
      refused: '登录被拒绝',
      silent: '未连接',
      never: '从未出现',
    },
    stored: later => `落盘 ${later}`,
    sent: later => `发送 ${later}`,
    confirmed: later => `确认 ${later}`,
    ms: count => `+${count} 毫秒`,
    seconds: count => `+${count} 秒`,
  },
};

/** A punch as the admin API has it. */
interface Hops {
  readonly received_at: number | null;
  readonly stored_at: number | null;
  readonly sent_at: number | null;
  readonly confirmed_at: number | null;
}

const shortMs = 10_000;

/** The hops after the receipt, each with how much later it was: `on the disk +4 ms`. */
export function hopsInWords(
  language: keyof typeof punchWords,
  { received_at: from, ...hops }: Hops,
  number: (value: number) => string,
): string[] {
  if (from === null) return [];
  const words = punchWords[language];
  const later = (at: number) => {
    const ms = Math.max(0, at - from);
    return ms < shortMs ? words.ms(number(ms)) : words.seconds(number(Math.round(ms / 1000)));
  };
  return [
    ...(hops.stored_at === null ? [] : [words.stored(later(hops.stored_at))]),
    ...(hops.sent_at === null ? [] : [words.sent(later(hops.sent_at))]),
    ...(hops.confirmed_at === null ? [] : [words.confirmed(later(hops.confirmed_at))]),
  ];
}
