export type PageLanguage = 'zh-CN' | 'en';

/** The texts of the pages. A text that is missing in one language does not compile. */
const en = {
  signIn: 'Sign in',
  signInTo: (client: string) => `Sign in to continue to ${client}`,
  name: 'Name',
  password: 'Password',
  wrong: 'Wrong name or password.',
  wait: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
  busy: 'Too many people are signing in. Try again in a moment.',
  stale: 'This page has expired. Try again.',
  withCloud: 'Sign in with a cloud account',
  cloudAway: 'The cloud is offline. Sign in with a name and password of this gateway.',
  cloudRefused: 'The cloud rejected the sign-in, or did not respond in time. Try again.',
  allow: 'Allow',
  deny: 'Deny',
  asks: (client: string) => `${client} wants to read your name and picture`,
  goesTo: (host: string) => `You return to ${host}.`,
  signedInAs: (name: string) => `Signed in as ${name}`,
  another: 'Use another account',
  cannotGoOn: 'Sign-in not possible',
  withoutTls:
    'Passwords require an encrypted connection. Go back to the app and start again with the https address of the gateway.',
  client: 'Unknown client_id. Contact the site that sent you here.',
  redirect_uri: 'The return address of the app is not registered. Ask the operator of the app to register it.',
  twice: 'The address names the app more than once. Contact the site that sent you here.',
};
type PageWords = typeof en;

const zh: PageWords = {
  signIn: '登录',
  signInTo: client => `登录后继续前往 ${client}`,
  name: '用户名',
  password: '密码',
  wrong: '用户名或密码错误。',
  wait: seconds => `尝试次数过多，请 ${seconds} 秒后再试。`,
  busy: '当前登录人数过多，请稍后再试。',
  stale: '页面已过期，请重试。',
  withCloud: '使用云平台账号登录',
  cloudAway: '云平台已断开，请使用本网关的用户名和密码登录。',
  cloudRefused: '云平台拒绝登录，或登录超时，请重试。',
  allow: '允许',
  deny: '拒绝',
  asks: client => `${client} 请求读取您的姓名和头像`,
  goesTo: host => `之后返回 ${host}。`,
  signedInAs: name => `当前账号：${name}`,
  another: '使用其他账号登录',
  cannotGoOn: '无法继续登录',
  withoutTls: '密码需要加密连接。请返回应用，使用网关的 https 地址重新开始。',
  client: 'client_id 未知。请联系将您引导至此的人员。',
  redirect_uri: '应用的返回地址未登记。请联系应用负责人登记该地址。',
  twice: '地址中多次指定了应用。请联系将您引导至此的人员。',
};

const words: Readonly<Record<PageLanguage, PageWords>> = { 'zh-CN': zh, en };

/** The first language of the browser that there is a page in; else the site's. */
export function pageLanguage(accepted: string | undefined, locale: string): PageLanguage {
  const asked = (accepted ?? '').split(',').map(one => one.trim().slice(0, 2).toLowerCase());
  const first = [...asked, locale.slice(0, 2).toLowerCase()].find(one => one === 'zh' || one === 'en');
  return first === 'zh' ? 'zh-CN' : 'en';
}

export const wordsOf = (language: PageLanguage): PageWords => words[language];
