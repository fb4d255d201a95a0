import type { HttpBindings } from '@hono/node-server';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { employeeName } from '../../platform/reserved-names.ts';
import { NotText, readsJson } from '../../platform/text-body.ts';
import { problem, problemType } from '../../runtime/problem.ts';
import { StoreError } from '../../store/index.ts';
import { ownSubjects, subjectOf } from '../../words/audit-own.ts';
import { described } from '../../words/described.ts';
import { addressOf, isFromHere, type StaffAccess } from '../staff/access.ts';
import { type OwnPageAccess, ownPageCookie } from './own-page-access.ts';

const done = { 'application/json': { schema: z.object({ done: z.boolean() }) } };
const refusal = { [problemType]: { schema: z.object({ title: z.string() }) } };

const signInRoute = createRoute({
  method: 'post',
  path: '/session',
  summary: described(
    'An employee opens “My attendance” with an access code, which is used up; the answer sets the cookie of the session',
    '员工用访问码打开“我的考勤”，访问码随即失效；应答中设置会话 Cookie',
  ),
  middleware: readsJson,
  request: {
    body: { required: true, content: { 'application/json': { schema: z.object({ code: z.string().max(40) }) } } },
  },
  responses: {
    200: { description: described('Signed in', '已登录'), content: done },
    401: { description: described('No such code, used, or ended', '访问码不存在、已使用或已过期'), content: refusal },
  },
});
const signOutRoute = createRoute({
  method: 'delete',
  path: '/session',
  summary: described('Closes “My attendance” in this browser', '在此浏览器中退出“我的考勤”'),
  responses: { 200: { description: described('Signed out', '已退出'), content: done } },
});

/**
 * Sign-in of employees at "My attendance". `title` holds a code of what is wrong, which the page
 * translates.
 */
export function ownPageSignIn(
  access: OwnPageAccess,
  log: Pick<StaffAccess, 'audit'>,
): OpenAPIHono<{ Bindings: HttpBindings }> {
  const app = new OpenAPIHono<{ Bindings: HttpBindings }>({
    defaultHook: (result, call) => {
      if (!result.success) return refuse(call, 400, 'bad_request', result.error.issues[0]?.message ?? '');
      return;
    },
  });
  app.onError((error, call) => {
    if (error instanceof NotText) return refuse(call, 400, 'bad_request', error.message);
    if (!(error instanceof StoreError)) throw error;
    call.header('Retry-After', '30');
    return refuse(call, 503, error.code, error.message);
  });

  app.openapi(signInRoute, async call => {
    const address = addressOf(call.env.incoming);
    const noted = { role: '', address, action: 'open my attendance' };
    if (!isFromHere(call.env.incoming)) return refuse(call, 403, 'forged', 'asked for by a page of another site');
    const opened = await access.open(call.req.valid('json').code, address);
    if (typeof opened === 'number') {
      call.header('Retry-After', String(opened));
      return refuse(call, 429, 'wait', `too many wrong codes from this address: try again in ${opened} s`);
    }
    if (opened === 'wrong') {
      await log.audit({ ...noted, actor: '', ...subjectOf(ownSubjects.say('access_code_wrong')), outcome: 'refused' });
      return refuse(call, 401, 'wrong_code', 'no such access code: it was used, or has ended; ask for a new one');
    }
    setCookie(call, ownPageCookie.name, opened.id, ownPageCookie.rules);
    await log.audit({ ...noted, actor: employeeName(opened.extId), subject: '', outcome: 'done' });
    return call.json({ done: true }, 200);
  });

  app.openapi(signOutRoute, async call => {
    if (!isFromHere(call.env.incoming)) return refuse(call, 403, 'forged', 'asked for by a page of another site');
    await access.end(call.env.incoming);
    deleteCookie(call, ownPageCookie.name, { path: '/', secure: true });
    return call.json({ done: true }, 200);
  });
  return app;
}

// A refusal has a status that hono's type of the route's answers does not list.
const refuse = (
  call: Context,
  ...said: Parameters<typeof problem> extends [unknown, ...infer Rest] ? Rest : never
): never => problem(call, ...said) as never;
