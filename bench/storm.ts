import type { StormLoad, StormResult } from './load-storm.ts';
import { bothCores, pinned, processorSeconds, residentMostMiB, root, watchStolen } from './machine.ts';
import { median, type Row, spread } from './report.ts';
import { countedRounds, type Pace, percent } from './rounds.ts';
import { product, type Server, startBox, startMosquitto } from './servers.ts';

const storms = { devices: 5000, records: 100, withinSeconds: 10 } as const;
const secondsMax = 15;
const residentMaxMiB = 500;

type Figures = StormResult & { readonly processorSeconds: number; readonly mostMiB: number };

/**
 * The worst minute of a site: the power goes and returns, and every device is at the box within
 * some seconds with what it could not send, over TLS with full handshakes. The box has two cores, as
 * at a site, where devices bring their own processors; here it shares both with the load.
 */
export async function storm(pace: Pace): Promise<Row[]> {
  const name = `storm: ${storms.devices} TLS devices come back within ${storms.withinSeconds} s with ${storms.records} records each`;
  pace.note(name);
  const rounds: { readonly stolen: number; readonly own: Figures; readonly peer: Figures }[] = [];
  for (let number = 0; number < pace.rounds; number++) {
    const stolen = watchStolen();
    const peer = await onFresh(() => startMosquitto('', bothCores));
    const own = await onFresh(() => startBox({ core: bothCores }));
    rounds.push({ stolen: stolen(), own, peer });
    pace.note(
      `  round ${number + 1}: own ${own.seconds.toFixed(1)} s, ${own.mostMiB.toFixed(0)} MiB, peer ${peer.seconds.toFixed(1)} s, ${percent(rounds.at(-1)!.stolen)} stolen`,
    );
  }
  const shares = rounds.map(({ stolen }) => stolen);
  const counted = countedRounds(shares);
  for (const [number, share] of shares.entries()) pace.onRound(share, counted.includes(number));
  const of = (side: 'own' | 'peer', figure: (one: Figures) => number) =>
    counted.map(number => figure(rounds[number]![side]));
  const complaints = rounds.flatMap(({ own }) => own.complaints);
  const seconds = of('own', one => one.seconds);
  const most = of('own', one => one.mostMiB);
  const common = { peer: 'mosquitto, in memory', ratio: '' };
  return [
    {
      ...common,
      what: `${name}: s until every record is acknowledged`,
      own: spread(seconds, 1),
      beside: spread(
        of('peer', one => one.seconds),
        1,
      ),
      bar: `at most ${secondsMax}, none refused`,
      met: median(seconds) <= secondsMax && complaints.length === 0,
      why:
        `${complaints.length} were refused or cut off${complaints.length > 0 ? ` (${complaints[0]})` : ''}; a device was done ${spread(
          of('own', one => one.deviceP50Ms),
          0,
        )} ms (p50) ` +
        `and ${spread(
          of('own', one => one.deviceP99Ms),
          0,
        )} ms (p99) after its return; the box used ${spread(
          of('own', one => one.processorSeconds),
          1,
        )} s of processor time, ` +
        `mosquitto ${spread(
          of('peer', one => one.processorSeconds),
          1,
        )} s; three quarters are check-ins, the rest logs; a third of the dead connections cannot be known to be dead; ` +
        'the server and the load share both cores',
    },
    {
      ...common,
      what: `${name}: MiB resident at most`,
      own: spread(most),
      beside: spread(of('peer', one => one.mostMiB)),
      bar: `at most ${residentMaxMiB}`,
      met: median(most) <= residentMaxMiB,
      why: '',
    },
  ];
}

async function onFresh(start: () => Promise<Server>): Promise<Figures> {
  await using server = await start();
  const load: StormLoad = {
    ...storms,
    port: server.ports.mqtts,
    product: product.product_id,
    productKey: product.product_key,
    model: product.model,
  };
  const child = pinned(bothCores, `${root}bin/node`, [`${root}bench/load-storm.ts`, JSON.stringify(load)]);
  let said = '';
  let before = 0;
  let after = 0;
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (text.includes('measuring')) before = processorSeconds(server.pid);
    if (text.includes('seconds')) after = processorSeconds(server.pid);
  });
  const status = await new Promise(resolve => child.once('close', resolve));
  if (status !== 0) throw new Error(`the storm on ${server.name} ended with ${status}:\n${child.said()}`);
  return {
    ...(JSON.parse(said.trim().split('\n').at(-1)!) as StormResult),
    processorSeconds: after - before,
    mostMiB: residentMostMiB(server.pid),
  };
}
