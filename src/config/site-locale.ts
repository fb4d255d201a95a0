import { resolve } from 'node:path';
import { recallConfig } from './last-config.ts';
import { isMap, put, type Values } from './values.ts';

/**
 * The language where nobody says one: what the box had at its last start, so that an update changes
 * no headers; on a new box that of who starts it.
 */
export function layLocaleUnder(
  values: Values,
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): void {
  const site = values.site ?? {};
  if (!isMap(site) || site.locale !== undefined) return;
  const dataDir = typeof values.data_dir === 'string' ? resolve(cwd, values.data_dir) : cwd;
  const starter = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  const found = recallConfig(dataDir)?.locale ?? (/^zh/i.test(starter) ? 'zh-CN' : undefined);
  if (found !== undefined) put(values, ['site', 'locale'], found);
}
