import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { type PageLanguage, wordsOf } from './words.ts';

type Html = ReturnType<typeof html>;

const style = `
:root{color-scheme:light dark;--ink:#1b1f23;--paper:#fff;--line:#8a9199;--go:#0b5fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--paper:#16191d;--line:#7d858e;--go:#8ab4ff;--bad:#ff8a80}}
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:24rem;margin:12vh auto 0;padding:0 1.25rem}h1{font-size:1.25rem;margin:0 0 1rem}
label{display:block;margin:.75rem 0 .25rem}input{width:100%;font:inherit;padding:.6rem;border:1px solid var(--line);border-radius:4px;background:transparent;color:inherit}
button{font:inherit;padding:.6rem 1rem;margin:1.25rem .5rem 0 0;min-height:44px;border-radius:4px;border:1px solid var(--line);background:transparent;color:inherit}
button.go{background:var(--go);border-color:var(--go);color:var(--paper)}button.text{border:0;padding:0;text-decoration:underline}
:focus-visible{outline:3px solid var(--go);outline-offset:2px}.bad{color:var(--bad)}img{max-width:48px;max-height:48px;border-radius:8px}p{margin:.5rem 0}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * No script, nothing from elsewhere but the client's logo, in no frame; forms go to this box, and
 * on to where the client is.
 */
export function pageHeaders(
  more: { readonly image?: string; readonly goesTo?: string; readonly cloud?: string } = {},
): Record<string, string> {
  const image = more.image === undefined ? '' : ` ${sourceOf(more.image)}`;
  const goesTo = [more.goesTo, more.cloud].map(one => (one === undefined ? '' : ` ${sourceOf(one)}`)).join('');
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'${image}; form-action 'self'${goesTo}; frame-ancestors 'none'; base-uri 'none'`,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}

/** As CSP names it: the origin, or the scheme of an app's own. */
function sourceOf(uri: string): string {
  try {
    const { protocol, origin } = new URL(uri);
    return origin === 'null' ? protocol : origin;
  } catch {
    return "'self'";
  }
}

async function page(language: PageLanguage, title: string, body: Html): Promise<string> {
  return String(
    await html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${raw(style)}</style></head>
<body><main>${body}</main></body></html>
`,
  );
}

export function loginPage(
  language: PageLanguage,
  {
    clientName,
    mark,
    goOn,
    name,
    problem,
    hasCloud,
  }: { clientName: string; mark: string; goOn: string; name: string; problem: string; hasCloud: boolean },
): Promise<string> {
  const words = wordsOf(language);
  return page(
    language,
    words.signIn,
    html`<h1>${words.signInTo(clientName)}</h1>
<form method="post" action="/oauth/login">
<input type="hidden" name="mark" value="${mark}"><input type="hidden" name="go_on" value="${goOn}">
<label for="name">${words.name}</label><input id="name" name="name" value="${name}" autocomplete="username" autocapitalize="none" required autofocus>
<label for="password">${words.password}</label><input id="password" name="password" type="password" autocomplete="current-password" required${problem === '' ? '' : raw(' aria-describedby="problem" aria-invalid="true"')}>
<p id="problem" class="bad" role="alert">${problem}</p>
<button class="go">${words.signIn}</button>
${hasCloud ? html`<p><button class="text" formaction="/oauth/cloud" formnovalidate>${words.withCloud}</button></p>` : ''}
</form>`,
  );
}

export function consentPage(
  language: PageLanguage,
  {
    clientName,
    logoUrl,
    goesTo,
    userName,
    mark,
    goOn,
  }: { clientName: string; logoUrl: string; goesTo: string; userName: string; mark: string; goOn: string },
): Promise<string> {
  const words = wordsOf(language);
  const logo = logoUrl === '' ? '' : html`<img src="${logoUrl}" alt="" referrerpolicy="no-referrer">`;
  return page(
    language,
    words.allow,
    html`${logo}<h1>${words.asks(clientName)}</h1>
<p>${words.signedInAs(userName)}</p><p>${words.goesTo(goesTo)}</p>
<form method="post" action="/oauth/consent">
<input type="hidden" name="mark" value="${mark}"><input type="hidden" name="go_on" value="${goOn}">
<button class="go" name="decision" value="allow">${words.allow}</button><button name="decision" value="deny">${words.deny}</button>
<p><button class="text" name="decision" value="another">${words.another}</button></p>
</form>`,
  );
}

export function refusalPage(
  language: PageLanguage,
  problem: 'client' | 'redirect_uri' | 'twice' | 'stale' | 'cloudRefused' | 'withoutTls',
): Promise<string> {
  const words = wordsOf(language);
  return page(language, words.cannotGoOn, html`<h1>${words.cannotGoOn}</h1><p>${words[problem]}</p>`);
}
