/**
 * A site whose power goes and returns: `load-storm.ts '{"port":8883,…}'`. All devices connect and
 * send their first records; the power goes in the middle of the next ones; they come back within
 * some seconds, and the time runs until the last record is acknowledged.
 */
import { Histogram } from './histogram.ts';
import { type Loss, StormDevice } from './storm-devices.ts';

export interface StormLoad {
  readonly port: number;
  readonly devices: number;
  /** What each has to send when it comes back, beside what was not acknowledged. */
  readonly records: number;
  readonly withinSeconds: number;
  readonly product: string;
  readonly productKey: string;
  readonly model: string;
}

export interface StormResult {
  /** From the return of the power. */
  readonly seconds: number;
  /** Of one device, from its own return until its last record is acknowledged. */
  readonly deviceP50Ms: number;
  readonly deviceP99Ms: number;
  /** Whom the box refused or whose connection it closed, and what it answered out of order. */
  readonly complaints: readonly string[];
}

const load = JSON.parse(process.argv[2]!) as StormLoad;
const site = { ...load, window: 16, logEvery: 4 };
const devices = Array.from({ length: load.devices }, (_, number) => new StormDevice(site, number));
const losses: readonly Loss[] = ['closed', 'reset', 'silent'];
const first = 2;
const atOnce = 50;

for (let from = 0; from < devices.length; from += atOnce) {
  const group = devices.slice(from, from + atOnce);
  for (const device of group) device.due = first;
  await Promise.all(group.map(device => device.powerOn()));
}
for (const [number, device] of devices.entries()) {
  device.due += load.records;
  device.goOn();
  device.powerOff(losses[number % losses.length]!);
}
// Until the box has seen those that it can see.
await new Promise(resolve => setTimeout(resolve, 2000));

process.stdout.write('measuring\n');
const begun = performance.now();
const took = new Histogram();
await Promise.all(
  devices.map(async (device, number) => {
    const returns = (number / devices.length) * load.withinSeconds * 1000;
    await new Promise(resolve => setTimeout(resolve, returns));
    const from = performance.now();
    await device.powerOn();
    took.add(performance.now() - from);
    for (const socket of device.silent) socket.destroy();
  }),
);
const result: StormResult = {
  seconds: (performance.now() - begun) / 1000,
  deviceP50Ms: took.at(0.5),
  deviceP99Ms: took.at(0.99),
  complaints: devices.flatMap(device => device.complaints),
};
const acknowledged = devices.reduce((sum, device) => sum + device.acknowledged, 0);
if (result.complaints.length === 0 && acknowledged !== devices.length * (first + load.records))
  throw new Error(`${acknowledged} records were acknowledged`);
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
