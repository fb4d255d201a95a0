import type { HttpBindings } from '@hono/node-server';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { isReservedName } from '../../platform/reserved-names.ts';
import type { Site } from '../../platform/site.ts';
import { NotText, readsJson } from '../../platform/text-body.ts';
import type { Clock } from '../../runtime/clock.ts';
import { problem, problemType } from '../../runtime/problem.ts';
import { type AccountStore, type DirectoryStore, StoreError } from '../../store/index.ts';
import { ownSubjects, subjectOf } from '../../words/audit-own.ts';
import { type Described, described } from '../../words/described.ts';
import type { Reason } from '../../words/sentences.ts';
import { type KnownBrowsers, knownCookie, knownCookieRules } from '../known-browsers.ts';
import type { Logins } from '../logins.ts';
import { type HashStrength, hashPassword } from '../passwords.ts';
import type { Sessions } from '../sessions.ts';
import { addressOf, isFromHere, type StaffAccess, staffCookie } from './access.ts';
import { passwordProblem, passwordRule } from './password-rule.ts';
import type { SetupCode } from './setup-code.ts';

type Call = Context<{ Bindings: HttpBindings }>;

interface SignInOptions {
  readonly store: AccountStore & DirectoryStore;
  readonly clock: Clock;
  readonly hashStrength: HashStrength;
  readonly logins: Logins;
  readonly browsers: KnownBrowsers;
  readonly sessions: Sessions;
  readonly access: StaffAccess;
  /** Setup code; null once there is an account. */
  readonly setupCode: () => Promise<SetupCode | null>;
  /** Notes that pages were opened; answers whether that browser refuses the certificate. */
  cameFrom(address: string): boolean;
  /** Language and name of the site, for the sign-in page. */
  readonly site: Site;
  /** The language that the first page was asked for; has no effect where the config fixes it. */
  chooseLanguage(locale: string): Promise<void>;
}

const name = z.string().trim().min(1).max(64);
const credentials = z.object({ name, password: z.string().max(1000) });
const firstAccount = credentials.extend({
  code: z.string().max(40),
  locale: z
    .enum(['zh-CN', 'en'])
    .optional()
    .describe(
      described(
        'The language of reports and alerts from now on, unless the config says it',
        '此后报表和告警的语言，配置文件指定时除外',
      ),
    ),
});
const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });
/** Signed-in account, and facts that the sign-in page shows. */
const session = z.object({
  user: z
    .object({ name: z.string(), role: z.enum(['admin', 'staff', 'viewer']) })
    .nullable()
    .describe(described('Null: nobody', 'null：没有人')),
  setup: z.boolean().describe(described('There is no account yet: the first is to be made', '尚无账号：将创建第一个')),
  site: z.object({ name: z.string(), locale: z.string(), timezone: z.string() }),
  boxes: z
    .boolean()
    .describe(
      described('Boxes below are listed here; false where nobody is signed in', '登记了下级网关；未登录时为 false'),
    ),
  certificate_refused: z
    .boolean()
    .describe(
      described(
        'A browser at this address refused the certificate of the box within a day',
        '一天内此地址的浏览器不信任网关的证书',
      ),
    ),
});
export type SessionReport = z.output<typeof session>;

const answers = <Schema extends z.ZodType>(description: Described, schema: Schema) => ({
  200: { description, content: json(schema) },
  401: {
    description: described('Refused', '已拒绝'),
    content: { [problemType]: { schema: z.object({ title: z.string() }) } },
  },
});

const whoRoute = createRoute({
  method: 'get',
  path: '/session',
  summary: described(
    'Who is signed in; `setup` while nobody has an account yet',
    '当前登录的用户；还没有账号时为 `setup`',
  ),
  responses: answers(described('The session', '会话'), session),
});
const signInRoute = createRoute({
  method: 'post',
  path: '/session',
  summary: described(
    'Signs in with a name and a password; the answer sets the cookie of the session',
    '用用户名和密码登录，应答中设置会话 Cookie',
  ),
  middleware: readsJson,
  request: { body: { required: true, content: json(credentials) } },
  responses: answers(described('Signed in', '已登录'), session),
});
const signOutRoute = createRoute({
  method: 'delete',
  path: '/session',
  summary: described('Signs out', '退出登录'),
  responses: answers(described('Signed out', '已退出'), z.object({ done: z.boolean() })),
});
const firstAccountRoute = createRoute({
  method: 'post',
  path: '/first-account',
  summary: described(
    'Makes the first account, an admin, with the setup code that the box prints, and signs in',
    '用网关打印的设置码创建第一个管理员账号并登录',
  ),
  middleware: readsJson,
  request: { body: { required: true, content: json(firstAccount) } },
  responses: answers(described('Made', '已创建'), session),
});

/**
 * Sign-in and sign-out of the admin API. `title` holds a code of what is wrong, which a page
 * translates.
 */
export function signInRoutes(options: SignInOptions): OpenAPIHono<{ Bindings: HttpBindings }> {
  const { store, logins, browsers, sessions, access, setupCode, site } = options;
  const app = new OpenAPIHono<{ Bindings: HttpBindings }>({
    defaultHook: (result, call) => {
      if (result.success) return;
      const [issue] = result.error.issues;
      return refuse(call, 400, 'bad_request', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
    },
  });

  const hasBoxes = () => !store.directory.boxesBelow()[Symbol.iterator]().next().done;

  // Signing in needs no disk (store/writer/held-sessions.ts); the first account does.
  app.onError((error, call) => {
    if (error instanceof NotText) return refuse(call, 400, 'bad_request', error.message);
    if (!(error instanceof StoreError)) throw error;
    call.header('Retry-After', '30');
    return refuse(call, 503, error.code, error.message);
  });

  app.openapi(whoRoute, async call => {
    const found = await access.identify(call.env.incoming);
    const user = found.ok ? { name: found.caller.actor, role: found.caller.role } : null;
    return call.json(
      {
        ...{ user, setup: (await setupCode()) !== null, site: said(site), boxes: user !== null && hasBoxes() },
        certificate_refused: options.cameFrom(addressOf(call.env.incoming)),
      },
      200,
    );
  });

  app.openapi(signInRoute, async call => {
    const { name: who, password } = call.req.valid('json');
    const address = addressOf(call.env.incoming);
    const noteRefusal = (why: Reason) =>
      access.audit({ actor: who, role: '', address, action: 'sign in', ...subjectOf(why), outcome: 'refused' });
    if (!isFromHere(call.env.incoming)) {
      await noteRefusal(ownSubjects.say('from_another_site'));
      return refuse(call, 403, 'forged', 'this was asked for by a page of another site');
    }
    const known = await browsers.recognize(getCookie(call, knownCookie), who);
    const outcome = await logins.login({ name: who, password, address, known });
    if (!outcome.ok) {
      await noteRefusal(ownSubjects.say(`login_${outcome.why}`));
      if (outcome.why === 'wrong') return refuse(call, 401, 'wrong', 'the name or the password is wrong');
      call.header('Retry-After', String(outcome.retryAfterSeconds));
      const status = outcome.why === 'busy' ? 503 : 429;
      return refuse(call, status, outcome.why, `try again in ${outcome.retryAfterSeconds} s`);
    }
    if (outcome.user.role === 'none') {
      await noteRefusal(ownSubjects.say('login_no_role'));
      return refuse(call, 403, 'no_role', 'this account has no role at the box: ask an administrator for one');
    }
    return signedIn(call, outcome.user);
  });

  app.openapi(signOutRoute, async call => {
    const found = await access.identify(call.env.incoming);
    if (found.ok && found.session) {
      await sessions.end(found.session);
      await access.audit({ ...found.caller, action: 'sign out', subject: '', outcome: 'done' });
    }
    deleteCookie(call, staffCookie, { path: '/', secure: true });
    return call.json({ done: true }, 200);
  });

  app.openapi(firstAccountRoute, async call => {
    const { code: written, name: who, password, locale } = call.req.valid('json');
    const address = addressOf(call.env.incoming);
    const noted = { actor: who, role: '', address, action: 'make the first account', subject: who };
    const code = await setupCode();
    if (!code) return refuse(call, 409, 'set_up', 'somebody has an account already: sign in');
    if (!isFromHere(call.env.incoming)) return refuse(call, 403, 'forged', 'asked for by a page of another site');
    const checked = await code.check(written, address);
    if (checked === 'wrong') {
      await access.audit({ ...noted, ...subjectOf(ownSubjects.say('setup_code_wrong')), outcome: 'refused' });
      return refuse(call, 401, 'wrong_code', 'the setup code is wrong: the box prints it when it starts');
    }
    if (checked !== 'right') {
      await access.audit({ ...noted, ...subjectOf(ownSubjects.say('setup_code_wait')), outcome: 'refused' });
      call.header('Retry-After', String(checked));
      return refuse(call, 429, 'wait', `too many wrong codes from this address: try again in ${checked} s`);
    }
    if (isReservedName(who)) return refuse(call, 422, 'name_reserved', 'the audit log uses this name: choose another');
    const weak = await passwordProblem(password, who, site.name);
    if (weak) return refuse(call, 422, `password_${weak}`, passwordRule[weak]);
    const made = await store.write.putUser({
      name: who,
      role: 'admin',
      passwordHash: await hashPassword(password, options.hashStrength),
      ifNone: true,
    });
    if (!made) return refuse(call, 409, 'set_up', 'somebody has an account already: sign in');
    await access.audit({ ...noted, role: 'admin', outcome: 'done' });
    if (locale !== undefined) await options.chooseLanguage(locale);
    return signedIn(call, (await store.read.user(who))!);
  });

  async function signedIn(call: Call, user: Parameters<Sessions['open']>[0]) {
    const address = addressOf(call.env.incoming);
    const agent = call.req.header('user-agent') ?? '';
    const before = await access.identify(call.env.incoming);
    if (before.ok && before.session) await sessions.end(before.session);
    const id = await sessions.open(user, { purpose: 'staff', address, agent });
    setCookie(call, staffCookie, id, { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' });
    setCookie(call, knownCookie, await browsers.remember(getCookie(call, knownCookie), user.name), knownCookieRules);
    await access.audit({ actor: user.name, role: user.role, address, action: 'sign in', subject: '', outcome: 'done' });
    const { name, role } = user;
    if (role === 'none') throw new Error('a session of somebody without a role');
    return call.json(
      {
        ...{ user: { name, role }, setup: false, site: said(site), boxes: hasBoxes() },
        certificate_refused: options.cameFrom(address),
      },
      200,
    );
  }

  return app;
}

const said = ({ name, locale, timezone }: Site) => ({ name, locale, timezone });

// A refusal has a status that hono's type of the route's answers does not list.
const refuse = (...said: Parameters<typeof problem>): never => problem(...said) as never;
