import { wordOf } from './audit-names.ts';
import { type Described, described } from './described.ts';
import { requestMistakes } from './programs.ts';
import { type Coded, codedIn, inChinese, type Reason, sentences, type WithWhy } from './sentences.ts';

const right = wordOf({ admin: '管理员', staff: '考勤员', viewer: '登录' });

/** Of entries that were removed from the old end of a chain. */
interface Removed {
  readonly removed: number;
  readonly chain: string;
  readonly last: number;
  readonly hash: string;
}
const removedEn = ({ removed, chain, last, hash }: Removed): string =>
  `${removed} of "${chain}", up to number ${last} with hash ${hash}`;
const removedZh = ({ removed, chain, last, hash }: Removed): string =>
  `“${chain}”中的 ${removed} 条，至编号 ${last}，哈希 ${hash}`;

/** Subjects of entries that no operation writes: refusals, commands, the log itself. */
export const ownSubjects = sentences({
  needs_role: {
    en: ({ role }: { role: string }) => `needs the role ${role}`,
    zh: ({ role }) => `需要${right(role)}权限`,
  },
  login_wrong: { en: 'wrong name or password', zh: '用户名或密码错误' },
  login_wait: { en: 'too many tries', zh: '尝试过多，须等待' },
  login_busy: { en: 'too many logins at once', zh: '同时登录的人太多' },
  login_no_role: { en: 'no role', zh: '没有角色' },
  setup_code_wrong: { en: 'wrong setup code', zh: '设置码错误' },
  setup_code_wait: { en: 'too many wrong setup codes', zh: '设置码尝试过多，须等待' },
  access_code_wrong: { en: 'wrong access code', zh: '访问码错误' },
  session_ended: { en: 'Session ended', zh: '登录已失效' },
  token_of_programs: { en: 'Hears events alone', zh: '令牌仅限事件' },
  from_another_site: { en: 'from another site', zh: '来自其他网站' },
  command: {
    en: ({ device, action }: { device: string; action: number }) => `${device}: action ${action}`,
    zh: ({ device, action }) => `${device}：动作码 ${action}`,
  },
  command_not_passed: {
    en: ({ device, why }: { device: string } & WithWhy) => `${device}: ${why}`,
    zh: ({ device, why, why_code: code, ...params }) =>
      `未向 ${device} 发送：${inChinese({ reason: why, code, params: { ...params, device } }, requestMistakes)}`,
  },
  many_addresses: { en: 'from many addresses', zh: '来自多个地址' },
  lost_while_full: {
    en: ({ count, waiting }: { count: number; waiting: number }) =>
      `${count} more than the ${waiting} that wait in memory, while the disk took no writes`,
    zh: ({ count, waiting }) => `磁盘无法写入期间，超出内存中 ${waiting} 条的 ${count} 条`,
  },
  removed_after_year: {
    en: (of: Removed) => `${removedEn(of)}: older than a year`,
    zh: of => `${removedZh(of)}：已超过一年`,
  },
  removed_over_max: {
    en: (of: Removed & { max: number }) => `${removedEn(of)}: more than ${of.max}`,
    zh: of => `${removedZh(of)}：超过 ${of.max} 条`,
  },
  removed_for_room: {
    en: (of: Removed) => `${removedEn(of)}: the disk was full`,
    zh: of => `${removedZh(of)}：磁盘已满`,
  },
});

/** Subject of an entry: a sentence, or an id or name that every language has alike. */
export function subjectOf(about: string | Reason): { readonly subject: string; readonly said: Coded | undefined } {
  return typeof about === 'string'
    ? { subject: about, said: undefined }
    : { subject: about.reason, said: codedIn(about) };
}

/** Names of actions that are no operation of the admin API. */
export const ownActions: Readonly<Record<string, Described>> = {
  'sign in': described('signed in', '登录'),
  'sign out': described('signed out', '退出登录'),
  'open my attendance': described('opened “My attendance”', '打开“我的考勤”'),
  'make the first account': described('made the first account', '创建第一个账号'),
  'audit entries removed': described('removed old entries', '删除旧记录'),
  'audit entries lost': described('lost entries while the disk was full', '磁盘已满时丢失记录'),
  'many actions': described('did several things', '多项操作'),
  COMMAND: described('sent a command to a device', '向设备发送命令'),
};
