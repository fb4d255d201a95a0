import { deleteCookie, generateCookie, getCookie, setCookie } from 'hono/cookie';
import type { Site } from '../../platform/site.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { GrantStore, LocalUser, SharedStore } from '../../store/index.ts';
import { FormMarks } from '../forgery.ts';
import { type KnownBrowsers, knownCookie, knownCookieRules } from '../known-browsers.ts';
import type { Logins } from '../logins.ts';
import type { BrowserSession, Sessions } from '../sessions.ts';
import { newToken, tokenHash } from '../tokens.ts';
import { back, type Call, cameFrom, formOf, hostOf, isSecure, originOf } from './calls.ts';
import type { CloudSignIn } from './cloud-sign-in.ts';
import { consentPage, loginPage, pageHeaders, refusalPage } from './pages.ts';
import { type AuthorizationRequest, type ReadRequest, readAuthorizationRequest } from './request.ts';
import { pageLanguage, wordsOf } from './words.ts';

export interface AuthorizeOptions {
  readonly store: GrantStore & SharedStore;
  readonly clock: Clock;
  readonly logins: Logins;
  readonly browsers: KnownBrowsers;
  readonly sessions: Sessions;
  readonly site: Pick<Site, 'locale'>;
  /** Sign-in at the cloud; null without a cloud. */
  readonly cloud: CloudSignIn | null;
  /** The port of the listener with TLS, where people sign in; null: it is off. */
  readonly tlsPort: () => number | null;
}

/**
 * Held by a browser that is not logged in yet: the login form's MAC covers it. `__Host-`: only over
 * TLS, and set by no other host.
 */
const visitorCookie = '__Host-gatehouse-visitor';

/** Opens no admin page: it has another name, and its session another purpose. */
export const oauthCookie = '__Host-gatehouse-oauth';

/** `Lax`: the browser comes here from the application. */
const cookieRules = { httpOnly: true, sameSite: 'Lax', secure: true, path: '/' } as const;

/** The pages of OAuth (SPEC 4.6, 5.5): log in, consent once, return to the client with a code. */
export class Authorize {
  readonly #options: AuthorizeOptions;
  readonly #marks = new FormMarks();

  constructor(options: AuthorizeOptions) {
    this.#options = options;
  }

  /**
   * GET /oauth/authorize. Passwords are asked for over TLS only: without it the browser is
   * redirected to the listener that has it.
   */
  async ask(call: Call): Promise<Response> {
    const goOn = new URL(call.req.url).search;
    if (!isSecure(call)) return this.#toTls(call, goOn);
    const read = await this.#read(goOn);
    if (!read.ok) return this.#refuse(call, read, goOn);
    const session = await this.#session(call);
    if (!session) return this.#loginPage(call, read.request, goOn, { name: '', problem: '' });
    const allowed = await this.#options.store.read.consent(read.request.client.clientId, session.user.name);
    if (allowed === read.request.scope) return this.#giveCode(call, read.request, goOn, session, 302);
    return this.#consentPage(call, read.request, goOn, session);
  }

  /** POST /oauth/login */
  async login(call: Call): Promise<Response> {
    const form = await formOf(call);
    const goOn = form.get('go_on') ?? '';
    const read = await this.#read(goOn);
    if (!read.ok) return this.#refuse(call, read, goOn);
    const name = form.get('name') ?? '';
    const words = wordsOf(this.#language(call));
    if (!this.#isOurs(call, 'login', getCookie(call, visitorCookie) ?? '', form))
      return this.#loginPage(call, read.request, goOn, { name, problem: words.stale }, 403);
    const address = call.env.incoming.socket.remoteAddress ?? '';
    const password = form.get('password') ?? '';
    const { logins, browsers } = this.#options;
    const cookie = getCookie(call, knownCookie);
    const known = await browsers.recognize(cookie, name);
    const outcome = await logins.login({ name, password, address, known });
    if (!outcome.ok) {
      if (outcome.why !== 'wrong') call.header('Retry-After', String(outcome.retryAfterSeconds));
      const problem = outcome.why === 'wait' ? words.wait(outcome.retryAfterSeconds) : words[outcome.why];
      const status = outcome.why === 'wrong' ? 401 : outcome.why === 'wait' ? 429 : 503;
      return this.#loginPage(call, read.request, goOn, { name, problem }, status);
    }
    const answer = await this.#loggedIn(call, outcome.user, goOn);
    answer.headers.append(
      'Set-Cookie',
      generateCookie(knownCookie, await browsers.remember(cookie, name), knownCookieRules),
    );
    return answer;
  }

  /** POST /oauth/cloud: the button below the login form. */
  async toCloud(call: Call): Promise<Response> {
    const form = await formOf(call);
    const goOn = form.get('go_on') ?? '';
    const read = await this.#read(goOn);
    if (!read.ok) return this.#refuse(call, read, goOn);
    const words = wordsOf(this.#language(call));
    const visitor = getCookie(call, visitorCookie) ?? '';
    const { cloud } = this.#options;
    if (!cloud || !this.#isOurs(call, 'login', visitor, form))
      return this.#loginPage(call, read.request, goOn, { name: '', problem: words.stale }, 403);
    const target = await cloud.begin(visitor, goOn, `${originOf(call)}/oauth/cloud/callback`);
    if (!target) return this.#loginPage(call, read.request, goOn, { name: '', problem: words.cloudAway });
    return call.body(null, 303, { Location: target, 'Cache-Control': 'no-store' });
  }

  /** GET /oauth/cloud/callback */
  async fromCloud(call: Call): Promise<Response> {
    const language = this.#language(call);
    const query = new URL(call.req.url).searchParams;
    const done = await this.#options.cloud?.finish(getCookie(call, visitorCookie) ?? '', query);
    if (!done) return call.body(await refusalPage(language, 'cloudRefused'), 403, pageHeaders());
    return this.#loggedIn(call, done.user, done.goOn);
  }

  async #loggedIn(call: Call, user: LocalUser, goOn: string): Promise<Response> {
    const address = call.env.incoming.socket.remoteAddress ?? '';
    const agent = call.req.header('user-agent') ?? '';
    const before = await this.#session(call);
    if (before) await this.#options.sessions.end(before);
    const id = await this.#options.sessions.open(user, { purpose: 'oauth', address, agent });
    setCookie(call, oauthCookie, id, cookieRules);
    deleteCookie(call, visitorCookie, cookieRules);
    return call.body(null, 303, { Location: `/oauth/authorize${goOn}`, 'Cache-Control': 'no-store' });
  }

  /** POST /oauth/consent */
  async consent(call: Call): Promise<Response> {
    const form = await formOf(call);
    const goOn = form.get('go_on') ?? '';
    const read = await this.#read(goOn);
    if (!read.ok) return this.#refuse(call, read, goOn);
    const { request } = read;
    const session = await this.#session(call);
    if (!session) return this.#loginPage(call, request, goOn, { name: '', problem: '' });
    // The mark is over the request as well: a form that was made for one client allows no other.
    if (!this.#isOurs(call, 'consent', `${session.idHash} ${goOn}`, form)) {
      const language = this.#language(call);
      return call.body(await refusalPage(language, 'stale'), 403, pageHeaders());
    }
    const decision = form.get('decision');
    if (decision === 'another') {
      await this.#options.sessions.end(session);
      deleteCookie(call, oauthCookie, cookieRules);
      return call.body(null, 303, { Location: `/oauth/authorize${goOn}`, 'Cache-Control': 'no-store' });
    }
    if (decision !== 'allow')
      return back(call, 303, request, goOn, {
        error: 'access_denied',
        error_description: 'the person did not allow it',
      });
    const { store, clock } = this.#options;
    await store.write.giveConsent({
      clientId: request.client.clientId,
      userName: session.user.name,
      scope: request.scope,
      at: clock.now(),
    });
    return this.#giveCode(call, request, goOn, session, 303);
  }

  async #giveCode(
    call: Call,
    request: AuthorizationRequest,
    goOn: string,
    session: BrowserSession,
    status: 302 | 303,
  ): Promise<Response> {
    const code = newToken();
    await this.#options.store.write.issueCode({
      codeHash: tokenHash(code),
      clientId: request.client.clientId,
      userName: session.user.name,
      redirectUri: request.redirectUri,
      scope: request.scope,
      challenge: request.challenge,
      at: this.#options.clock.now(),
    });
    return back(call, status, request, goOn, { code });
  }

  /**
   * 307: the browser keeps the query. In the end the client gets the issuer as it knows the box:
   * without TLS (RFC 9207).
   */
  async #toTls(call: Call, goOn: string): Promise<Response> {
    const port = this.#options.tlsPort();
    if (port === null) return this.withoutTls(call);
    const plain = originOf(call);
    const query = new URLSearchParams(goOn);
    query.set(cameFrom, plain);
    const target = `https://${hostOf(plain)}${port === 443 ? '' : `:${port}`}/oauth/authorize?${query}`;
    return call.body(null, 307, { Location: target, 'Cache-Control': 'no-store' });
  }

  /** Forms are served over TLS only: one that was sent without it is ignored. */
  async withoutTls(call: Call): Promise<Response> {
    return call.body(await refusalPage(this.#language(call), 'withoutTls'), 403, pageHeaders());
  }

  #read(goOn: string): Promise<ReadRequest> {
    return readAuthorizationRequest(this.#options.store.read, new URLSearchParams(goOn));
  }

  #session(call: Call): Promise<BrowserSession | null> {
    return this.#options.sessions.find(getCookie(call, oauthCookie), 'oauth');
  }

  #language(call: Call) {
    return pageLanguage(call.req.header('accept-language'), this.#options.site.locale);
  }

  #isOurs(call: Call, purpose: string, holder: string, form: URLSearchParams): boolean {
    return this.#marks.isOurs(
      { purpose, holder, mark: form.get('mark') ?? '' },
      {
        origin: call.req.header('origin'),
        site: call.req.header('sec-fetch-site'),
        self: originOf(call),
      },
    );
  }

  async #refuse(call: Call, refused: Extract<ReadRequest, { ok: false }>, goOn: string): Promise<Response> {
    if (refused.to === 'page')
      return call.body(await refusalPage(this.#language(call), refused.problem), 400, pageHeaders());
    return back(call, 302, refused, goOn, { error: refused.error, error_description: refused.description });
  }

  async #loginPage(
    call: Call,
    { client, redirectUri }: AuthorizationRequest,
    goOn: string,
    said: { name: string; problem: string },
    status: 200 | 401 | 403 | 429 | 503 = 200,
  ): Promise<Response> {
    let visitor = getCookie(call, visitorCookie);
    if (!visitor || visitor.length > 100) {
      visitor = newToken();
      setCookie(call, visitorCookie, visitor, { ...cookieRules, maxAge: 3600 });
    }
    const clientName = client.name || client.clientId;
    const mark = this.#marks.mark('login', visitor);
    const { cloud } = this.#options;
    const text = await loginPage(this.#language(call), { clientName, mark, goOn, ...said, hasCloud: cloud !== null });
    return call.body(text, status, pageHeaders({ goesTo: redirectUri, ...(cloud ? { cloud: cloud.origin } : {}) }));
  }

  async #consentPage(
    call: Call,
    { client, redirectUri }: AuthorizationRequest,
    goOn: string,
    session: BrowserSession,
  ): Promise<Response> {
    const text = await consentPage(this.#language(call), {
      clientName: client.name || client.clientId,
      logoUrl: client.logoUrl,
      goesTo: new URL(redirectUri).host || redirectUri,
      userName: session.user.name,
      mark: this.#marks.mark('consent', `${session.idHash} ${goOn}`),
      goOn,
    });
    const image = client.logoUrl === '' ? {} : { image: client.logoUrl };
    return call.body(text, 200, pageHeaders({ goesTo: redirectUri, ...image }));
  }
}
