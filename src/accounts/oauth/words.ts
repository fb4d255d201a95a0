export type PageLanguage = 'zh-CN' | 'en';

/** The texts of the pages. A text that is missing in one language does not compile. */
const en = {
  signIn: 'Sign in',
  signInTo: (client: string) => `Sign in to go on to ${client}`,
  name: 'Name',
  password: 'Password',
  wrong: 'The name or the password is wrong.',
  wait: (seconds: number) =>
    seconds === 1 ? 'Too many tries. Try again in a second.' : `Too many tries. Try again in ${seconds} seconds.`,
  busy: 'The box is busy. Try again in a moment.',
  stale: 'This page was open too long. Try again.',
  withCloud: 'Sign in with the cloud account',
  cloudAway: 'The cloud cannot be reached now. Sign in with a name and password of this box.',
  cloudRefused: 'The cloud did not let you in, or it took too long. Try again.',
  allow: 'Allow',
  deny: 'Do not allow',
  asks: (client: string) => `${client} asks to read your name and picture.`,
  goesTo: (host: string) => `Then you go back to ${host}.`,
  signedInAs: (name: string) => `You are signed in as ${name}.`,
  another: 'Sign in as somebody else',
  cannotGoOn: 'This sign-in cannot go on',
  withoutTls:
    'Passwords are asked for over an encrypted connection alone (https). Go back to the application and start again, with the https address of the box.',
  client: 'No application with this client_id is registered at this box. Ask the site that sent you here.',
  redirect_uri:
    'The application wants you back at an address that is not registered for it, so this page does not send you there. Ask the operator of the application to register it.',
  twice: 'The address names the application more than once. Ask the site that sent you here.',
};
type PageWords = typeof en;

const zh: PageWords = {
  signIn: '登录',
  signInTo: client => `登录后继续前往 ${client}`,
  name: '用户名',
  password: '密码',
  wrong: '用户名或密码不正确。',
  wait: seconds => `尝试次数过多，请 ${seconds} 秒后再试。`,
  busy: '设备繁忙，请稍后再试。',
  stale: '页面打开时间过长，请重试。',
  withCloud: '使用云端账号登录',
  cloudAway: '目前无法连接云端，请使用本设备的用户名和密码登录。',
  cloudRefused: '云端未允许登录，或登录超时，请重试。',
  allow: '允许',
  deny: '不允许',
  asks: client => `${client} 请求读取您的姓名和头像。`,
  goesTo: host => `之后您将返回 ${host}。`,
  signedInAs: name => `当前登录用户：${name}。`,
  another: '使用其他账号登录',
  cannotGoOn: '无法继续登录',
  withoutTls: '密码只能通过加密连接（https）输入。请返回应用，使用本设备的 https 地址重新开始。',
  client: '此设备上没有登记该 client_id 对应的应用。请联系将您引导至此的人员。',
  redirect_uri: '该应用要求返回的地址没有登记，因此不会跳转。请联系应用负责人登记该地址。',
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
