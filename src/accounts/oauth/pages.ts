import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { lookCss, waySvg } from '../../platform/look.ts';
import { type PageLanguage, wordsOf } from './words.ts';

type Html = ReturnType<typeof html>;

/** Colours, type and the mark are those of the pages of the box. */
const style = `${lookCss}
*{box-sizing:border-box}body{margin:0;min-height:100vh;font:16px/1.5 var(--sans);color:var(--ink);background:linear-gradient(var(--rail),var(--rail)) top/100% 34vh no-repeat,var(--ground)}
main{max-width:26rem;margin:0 auto;padding:9vh 1.25rem 2rem}.brand{display:flex;align-items:center;gap:14px;margin:0 0 20px;color:var(--rail-strong);font-weight:650}.brand .way{color:var(--way)}
.card{padding:26px 28px 28px;background:var(--panel);border:1px solid var(--rule);border-radius:14px;box-shadow:0 12px 48px rgb(8 14 24/32%);overflow-wrap:anywhere}
h1{font-size:1.3rem;line-height:1.3;margin:0 0 1rem}label{display:block;margin:.75rem 0 .25rem;font-size:.85rem;color:var(--ink2)}
input{width:100%;min-height:44px;font:inherit;padding:.5rem .7rem;border:1px solid var(--edge);border-radius:var(--radius-control);background:var(--panel);color:inherit}
button{font:inherit;font-weight:500;padding:.5rem 1.1rem;margin:1.25rem .5rem 0 0;min-height:44px;border-radius:var(--radius-control);border:1px solid var(--edge);background:var(--panel);color:inherit;cursor:pointer}
button.go{background:var(--action);border-color:var(--action);color:var(--on-action)}button.text{margin:.75rem 0 -.5rem;border:0;padding:0;background:none;color:var(--action);text-decoration:underline}
:focus-visible{outline:3px solid var(--action);outline-offset:2px}.bad{color:var(--bad)}.logo{display:block;max-width:48px;max-height:48px;border-radius:8px;margin-bottom:12px}p{margin:.5rem 0}`;

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
<body><main><p class="brand">${raw(waySvg)}</p><div class="card">${body}</div></main></body></html>
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
  const logo = logoUrl === '' ? '' : html`<img class="logo" src="${logoUrl}" alt="" referrerpolicy="no-referrer">`;
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
