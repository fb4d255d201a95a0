import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { busFault, connectSystemBus } from '../../bus/index.ts';
import { timeServersIn } from '../../platform/time-servers.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';

const hostnamed = {
  service: 'org.freedesktop.hostname1',
  path: '/org/freedesktop/hostname1',
  interface: 'org.freedesktop.hostname1',
} as const;

/** Of `box` in the config. */
interface MachineNames {
  readonly host_name?: string | undefined;
  readonly time_servers?: string | undefined;
}

/**
 * Tells the operating system the host name and the time servers of the config, at each start.
 * `runtimeDir`: where a unit of root waits for the time servers; null: nobody waits.
 */
export async function tellMachine(
  names: MachineNames,
  { clock, log, runtimeDir }: { readonly clock: Clock; readonly log: Log; readonly runtimeDir: string | null },
): Promise<void> {
  if (names.host_name !== undefined) {
    const name = names.host_name;
    await nameMachine(name, clock).catch(error =>
      log.warn({ error }, 'host_name_not_set', { name, why: whyNot(error) }),
    );
  }
  const servers = timeServersIn(names.time_servers ?? '') ?? [];
  const text = servers.map(one => `${one}\n`).join('');
  if (runtimeDir !== null) {
    const file = join(runtimeDir, 'time-servers');
    await writeFile(file, text).catch(error => log.warn({ error }, 'time_servers_not_set', { why: error.message }));
  } else if (text !== '') log.warn({}, 'time_servers_not_set', { why: 'RUNTIME_DIRECTORY' });
}

/** A system that cannot write has no static name, and takes one for as long as it runs. */
async function nameMachine(name: string, clock: Clock): Promise<void> {
  using bus = await connectSystemBus(clock);
  const of = (property: string) => bus.property(hostnamed.service, hostnamed.path, hostnamed.interface, property);
  const isStatic = (await of('StaticHostname')) !== '';
  if ((await of(isStatic ? 'StaticHostname' : 'Hostname')) === name) return;
  const member = isStatic ? 'SetStaticHostname' : 'SetHostname';
  await bus.call({ ...hostnamed, member, signature: 'sb', body: [name, false] });
}

const whyNot = (error: unknown): string => busFault('hostnamed', error)?.reason ?? (error as Error).message;
