import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { lookCss, waySvg } from '../../platform/look.ts';
import type { GivenReason } from '../../words/sentences.ts';
import type { WifiNetwork } from '../wifi/port.ts';
import type { HotspotWords } from './words.ts';

type Html = ReturnType<typeof html>;

/**
 * A phone's captive browser has no dependable storage, tabs or downloads: one form, no script,
 * state on the box. Under 20 kB. Colours, type and the mark are those of the pages of the box.
 */
const style = `${lookCss}
*{box-sizing:border-box}body{margin:0;font:17px/1.5 var(--sans);color:var(--ink);background:var(--ground)}
header{padding:16px 20px;color:var(--way);background:var(--rail)}header svg{display:block;max-width:26rem;margin:0 auto}
main{max-width:26rem;margin:0 auto;padding:1.25rem}h1{font-size:1.4rem;line-height:1.3;margin:0 0 .25rem;overflow-wrap:anywhere}p{margin:.5rem 0}
small,dd,dt{color:var(--ink2);font-size:.85rem}fieldset{border:0;padding:0;margin:1rem 0 0;min-width:0}legend{padding:0;font-weight:600}
.net{display:flex;gap:.75rem;align-items:center;min-height:52px;padding:6px 14px;border:1px solid var(--rule);border-bottom-width:0;margin:0;background:var(--panel)}
.net:first-of-type{border-radius:var(--radius-card) var(--radius-card) 0 0}.net:last-of-type{border-bottom-width:1px;border-radius:0 0 var(--radius-card) var(--radius-card)}.net:first-of-type:last-of-type{border-radius:var(--radius-card)}
.net span{flex:1;overflow-wrap:anywhere}.net small{white-space:nowrap}input[type=radio]{width:22px;height:22px;flex:none;accent-color:var(--action)}
label.field{display:block;margin:1rem 0 .25rem;font-weight:600}
input.text{width:100%;font:inherit;padding:.7rem;border:1px solid var(--edge);border-radius:var(--radius-control);background:var(--panel);color:inherit}
button{font:inherit;font-weight:600;width:100%;min-height:52px;margin:1.5rem 0;border-radius:var(--radius-control);border:0;background:var(--action);color:var(--on-action)}
:focus-visible{outline:3px solid var(--action);outline-offset:2px}.bad{padding:.6rem .9rem;border:1px solid var(--bad);border-left-width:4px;border-radius:var(--radius-control);background:var(--bad-tint)}
form:not(:has(#other:checked)) .typed{display:none}
dl{display:grid;grid-template-columns:auto 1fr;gap:.1rem .75rem;margin:1rem 0}dd{margin:0;overflow-wrap:anywhere}`;

const styleHash = createHash('sha256').update(style).digest('base64');

export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

interface SetupPage {
  readonly networks: readonly WifiNetwork[];
  /** Since the scan. */
  readonly minutes: number;
  readonly device: { readonly sn: string; readonly model: string; readonly version: string };
  /** Of the last attempt; null: there was none, or it went well. */
  readonly failed: { readonly why: GivenReason; readonly ssid: string } | null;
  /** Why what was just sent cannot be used. */
  readonly problem: string | null;
}

/** How many networks the page shows: more make it long on a phone, and a name can be typed. */
const networksMax = 30;

export function setupPage(
  said: HotspotWords,
  { networks, minutes, device, failed, problem }: SetupPage,
): Promise<string> {
  const { words } = said;
  const shown = networks.slice(0, networksMax);
  return page(
    said,
    html`<h1>${words.title}</h1>
${problem === null ? '' : html`<p class="bad" role="alert">${problem}</p>`}
${failed && problem === null ? html`<p class="bad" role="status">${words.last} (${failed.ssid}): ${said.reason(failed.why)}</p>` : ''}
<form method="post" action="/setup">
<fieldset><legend>${words.choose}</legend>
${shown.length === 0 ? html`<p>${words.none}</p>` : html`<p><small>${words.scanned(minutes)}</small></p>`}
${shown.map(
  (network, index) =>
    html`<label class="net"><input type="radio" name="ssid" value="${network.ssid}"${index === 0 ? raw(' checked') : ''}><span>${network.ssid}</span><small>${network.security === 'none' ? `${words.unencrypted} ` : ''}${words.percent(network.quality)}</small></label>`,
)}
<label class="net"><input type="radio" id="other" name="ssid" value=""${shown.length === 0 ? raw(' checked') : ''}><span>${words.other}</span></label></fieldset>
<div class="typed"><label class="field" for="typed">${words.name}</label><input class="text" id="typed" name="typed" maxlength="32" autocomplete="off" autocapitalize="none"></div>
<label class="field" for="key">${words.password}</label><input class="text" id="key" name="key" type="password" maxlength="64" autocomplete="off">
<button>${words.go}</button></form>
<dl><dt>${words.device}</dt><dd>${device.model} ${device.sn}</dd><dt>${words.version}</dt><dd>${device.version}</dd></dl>`,
  );
}

export const tryingPage = (said: HotspotWords, ssid: string): Promise<string> =>
  page(said, html`<h1>${ssid}</h1><p role="status">${said.words.trying}</p><p>${said.words.next}</p>`);

async function page({ language, words }: HotspotWords, body: Html): Promise<string> {
  return String(
    await html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${words.title}</title><style>${raw(style)}</style></head>
<body><header>${raw(waySvg)}</header><main>${body}</main></body></html>
`,
  );
}
