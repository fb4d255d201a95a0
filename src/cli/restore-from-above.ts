import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { realClock } from '../runtime/real-world.ts';
import { BackupsAbove, trustOf } from '../upstream/index.ts';
import { type Call, CommandFailed } from './command.ts';
import { configOf } from './config-of.ts';

/** Logs in at the box above as this box, and fetches its newest backup, or the named one. */
export async function fetchedFromAbove(
  call: Call,
  named: string | undefined,
): Promise<{ readonly file: string } & AsyncDisposable> {
  const { upstream, box, data_dir: dataDir } = configOf(call);
  if (upstream?.mode !== 'batch' || upstream.device_http === undefined || box.access_key === undefined)
    throw new CommandFailed(
      'the config names no box above: --config with upstream (mode batch, device_http, ca) and box (product_id, device_sn, access_key) as the box had them',
    );
  const above = new BackupsAbove(upstream.device_http, { trust: trustOf(upstream.ca), clock: realClock });
  const forever = new AbortController().signal;
  const why = await above.logIn(
    { productId: box.product_id, deviceSn: box.device_sn, accessKey: box.access_key },
    forever,
  );
  if (why !== null) throw new CommandFailed(`${above.where}: ${why}`);
  const kept = await above.list(forever);
  if (!kept.ok) throw new CommandFailed(`${above.where}: ${kept.why}`);
  const name = named ?? kept.value[0];
  if (name === undefined || !kept.value.includes(name))
    throw new CommandFailed(
      `${above.where}: keeps no backup ${name === undefined ? 'of this box' : `${name}; there is ${kept.value.join(', ') || 'none'}`}`,
    );
  // Beside the data directory: it is as large as what will be in there.
  const folder = await mkdtemp(join(dirname(dataDir), '.gatehouse-restore-'));
  const file = join(folder, 'backup.gh');
  const fetched = await above.get(name, file, forever);
  if (!fetched.ok) {
    await rm(folder, { recursive: true, force: true });
    throw new CommandFailed(`${above.where}: ${fetched.why}`);
  }
  call.tell(`${name} was fetched from ${above.where}`);
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
