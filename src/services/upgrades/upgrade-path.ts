import { withoutEnd } from '../../runtime/without-end.ts';
import { firstVersion, UpgradeRefused } from './catalogue.ts';

const restMax = 512;
const joint = 'version=';

/**
 * Reads what follows `/api/1.0.0/app-upgrade/`, path and query as they came. SPEC 4.7 prints the
 * path with the query joined to the code, so `panel?version=1.2`, `panel&version=1.2` and
 * `panelversion=1.2` all mean the same; the last `version=` counts. At most 512 characters; without
 * a version it is 0.0.0.
 */
export function readUpgradePath(rest: string): { app_code: string; version: string } | UpgradeRefused {
  if (rest.length > restMax) return new UpgradeRefused(`the path is longer than ${restMax} characters`);
  const text = decoded(rest);
  if (text === null) return new UpgradeRefused(`the path is not well encoded: "${rest}"`);
  const at = text.lastIndexOf(joint);
  const head = at < 0 ? text : text.slice(0, at);
  const code = withoutEnd(head.split(/[?&#]/, 1)[0]!, '/').trim();
  if (code === '') return new UpgradeRefused(`no app_code in the path: "${rest}"`);
  const version =
    at < 0
      ? ''
      : text
          .slice(at + joint.length)
          .split(/[?&#]/, 1)[0]!
          .trim();
  return { app_code: code, version: version || firstVersion };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
