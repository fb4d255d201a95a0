import type { Clock } from '../../runtime/clock.ts';
import { foundInRegion as found } from '../../words/region-findings.ts';
import type { Finding } from '../doctor/check.ts';
import type { Answered, RegionCaller } from './asks.ts';
import { type Findings, failed, listed, ok, warn, wordsOf } from './findings.ts';
import type { RegionMachine } from './region.ts';

/** Answer of each machine, or why there is none. */
type Answers = readonly { readonly machine: RegionMachine; readonly answer: Answered | Error }[];

const everyMachine = (
  machines: readonly RegionMachine[],
  ask: (machine: RegionMachine) => Promise<Answered>,
): Promise<Answers> =>
  Promise.all(machines.map(async machine => ({ machine, answer: await ask(machine).catch((error: Error) => error) })));

interface Member {
  readonly name?: string;
  readonly ID: string;
  readonly peerURLs: readonly string[];
}

export async function etcdFindings(machines: readonly RegionMachine[], caller: RegionCaller): Promise<Findings> {
  const answers = await everyMachine(machines, machine => caller.etcd(machine, '/v3/cluster/member/list'));
  const findings: Finding[] = [];
  const clusters = new Map<string, string[]>();
  const alone: string[] = [];
  let members: readonly Member[] = [];
  for (const { machine, answer } of answers) {
    if (answer instanceof Error || answer.status !== 200) {
      const error = answer instanceof Error ? wordsOf(answer) : `HTTP ${answer.status}`;
      findings.push(failed(found('etcd_silent', { machines: machine.name, error })));
      continue;
    }
    const said = JSON.parse(answer.body) as { header: { cluster_id: string }; members: readonly Member[] };
    const { cluster_id: cluster } = said.header;
    clusters.set(cluster, [...(clusters.get(cluster) ?? []), machine.name]);
    if (said.members.length === 1) alone.push(machine.name);
    else members = said.members;
  }
  if (alone.length > 0) return [failed(found('etcd_alone', { machines: listed(alone) })), ...findings];
  if (clusters.size > 1) {
    const divided = [...clusters.values()].map(listed).join(' | ');
    return [failed(found('etcd_divided', { machines: divided })), ...findings];
  }
  if (clusters.size === 0) return findings;
  const urlOf = ({ address, ports }: RegionMachine) => `https://${address}:${ports.etcdPeers}`;
  const wanted = machines.map(urlOf).sort();
  const there = members.flatMap(({ peerURLs }) => peerURLs).sort();
  if (there.join() !== wanted.join()) return [failed(found('etcd_members', { found: listed(there) })), ...findings];
  const leaders = new Set<string>();
  for (const { answer } of await everyMachine(machines, machine => caller.etcd(machine, '/v3/maintenance/status')))
    if (!(answer instanceof Error) && answer.status === 200)
      leaders.add((JSON.parse(answer.body) as { leader?: string }).leader ?? '0');
  leaders.delete('0');
  if (leaders.size === 0) return [failed(found('etcd_leaderless')), ...findings];
  const leader = members.find(({ ID }) => leaders.has(ID))?.name ?? listed([...leaders]);
  return [...findings, ...(findings.length === 0 ? [ok(found('etcd', { count: members.length, leader }))] : [])];
}

interface PatroniState {
  readonly role: string;
  readonly server_version?: number;
}
const isPrimary = ({ role }: PatroniState): boolean => role === 'master' || role === 'primary' || role === 'leader';

async function patroniStates(machines: readonly RegionMachine[], caller: RegionCaller) {
  const states: { machine: RegionMachine; state: PatroniState }[] = [];
  const silent: Finding[] = [];
  for (const { machine, answer } of await everyMachine(machines, machine => caller.patroni(machine, '/patroni'))) {
    if (answer instanceof Error)
      silent.push(failed(found('patroni_silent', { machines: machine.name, error: wordsOf(answer) })));
    else states.push({ machine, state: JSON.parse(answer.body) as PatroniState });
  }
  return { states, silent };
}

export async function primaryFindings(machines: readonly RegionMachine[], caller: RegionCaller): Promise<Findings> {
  const { states, silent } = await patroniStates(machines, caller);
  const primaries = states.filter(({ state }) => isPrimary(state)).map(({ machine }) => machine.name);
  if (primaries.length === 0) return [failed(found('primary_none')), ...silent];
  if (primaries.length > 1) return [failed(found('primaries', { machines: listed(primaries) })), ...silent];
  return [ok(found('primary', { machines: primaries[0]! })), ...silent];
}

export async function standbyFindings(machines: readonly RegionMachine[], caller: RegionCaller): Promise<Findings> {
  const answers = await everyMachine(machines, machine => caller.patroni(machine, '/cluster'));
  const answered = answers.map(({ answer }) => answer).find(answer => !(answer instanceof Error));
  if (!answered) return [failed(found('standby_none'))];
  const { members } = JSON.parse((answered as Answered).body) as {
    members: readonly { name: string; role: string; state: string }[];
  };
  const follows = ({ state }: { state: string }) => state === 'running' || state === 'streaming';
  const synchronous = members.filter(one => one.role === 'sync_standby' && follows(one)).map(({ name }) => name);
  const known = new Map(members.map(one => [one.name, one]));
  const away = machines.filter(({ name }) => !known.has(name) || !follows(known.get(name)!)).map(({ name }) => name);
  return [
    synchronous.length > 0 ? ok(found('standby', { machines: listed(synchronous) })) : failed(found('standby_none')),
    ...(away.length > 0 ? [warn(found('standby_away', { machines: listed(away) }))] : []),
  ];
}

const clockOffSecondsMax = 3;

export async function clockFindings(
  machines: readonly RegionMachine[],
  caller: RegionCaller,
  clock: Clock,
): Promise<Findings> {
  const before = clock.now();
  const answers = await everyMachine(machines, machine => caller.etcd(machine, '/v3/cluster/member/list'));
  const now = clock.now();
  // Date has no parts of a second, and the answer was on its way.
  const offOf = (at: number): number => Math.max(0, Math.round(Math.max(before - (at + 1000), at - now) / 1000));
  const offs = answers.flatMap(({ machine, answer }) =>
    answer instanceof Error || answer.at === null ? [] : [{ machine, seconds: offOf(answer.at) }],
  );
  const apart = offs.filter(({ seconds }) => seconds > clockOffSecondsMax);
  if (apart.length > 0)
    return apart.map(({ machine, seconds }) => failed(found('clocks_apart', { machines: machine.name, seconds })));
  return [ok(found('clocks', { seconds: Math.max(0, ...offs.map(({ seconds }) => seconds)) + 1 }))];
}
