import { effectiveKeys, type LoadedConfig, loadConfig } from '../config/index.ts';
import { StoreOpenError } from '../store/index.ts';
import { type Call, flag, type Run, textOption } from './command.ts';
import { withPages } from './with-pages.ts';

/**
 * `check-config [--effective] [F]`: throws `FileRefused` with all complaints, which is exit status
 * 1.
 */
export const checkConfig: Run = async call => {
  const file = configFile(call);
  const dataDir = textOption(call, 'data-dir');
  const loaded = loadConfig({
    ...(file === undefined ? {} : { file }),
    ...(dataDir === undefined ? {} : { dataDir }),
    env: call.env,
    cwd: call.cwd,
  });
  if (!flag(call, 'effective')) {
    const text = file === undefined ? 'no config file is named: the defaults are in force' : `${file}: nothing wrong`;
    await call.print(flag(call, 'json') ? `${JSON.stringify({ ok: true, file: file ?? null })}\n` : `${text}\n`);
    return;
  }
  const rows = effectiveKeys(await withPagesOrWithout(call, loaded));
  if (flag(call, 'json')) return call.print(`${JSON.stringify(rows, null, 2)}\n`);
  const left = rows.map(({ path, value }) => `${path}: ${value === null ? '' : JSON.stringify(value)}`.trimEnd());
  const width = Math.min(60, Math.max(...left.map(text => text.length)));
  await call.print(rows.map(({ from }, index) => `${left[index]!.padEnd(width)}  # ${from}\n`).join(''));
};

/** Values of pages are left out, with a note, where the store cannot be read. */
async function withPagesOrWithout(call: Call, loaded: LoadedConfig): ReturnType<typeof withPages> {
  try {
    return await withPages(loaded);
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    call.tell(`what was set on pages is missing here: ${error.message}`);
    return loaded;
  }
}

/** The file that is meant: the argument, `--config`, `GATEHOUSE_CONFIG`, else none. */
const configFile = (call: Call): string | undefined =>
  call.arguments[0] ?? textOption(call, 'config') ?? (call.env.GATEHOUSE_CONFIG || undefined);
