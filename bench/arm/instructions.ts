import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MqttLoad } from '../load-mqtt.ts';
import { processorShares, root, temporaryFolder } from '../machine.ts';
import { type Measured, measureConnecting, measureMqtt, mqttLoad } from '../measure.ts';
import { type Row, spread } from '../report.ts';
import { of, type Pace, percent } from '../rounds.ts';
import { type Server, startBox } from '../servers.ts';
import { armLibraries, binaryFor } from '../tools.ts';

/** Long enough for the emulated program to be compiled: until then it interprets and compiles. */
const warmUpSeconds = 30;
const secondsMin = 15;

type Load = (server: Server, seconds: number, begun: () => void) => Promise<Measured>;

const messages =
  (more: Partial<MqttLoad>): Load =>
  (server, seconds, begun) =>
    measureMqtt(server, mqttLoad(server, more.tls ?? false, { seconds, warmUpSeconds, ...more }), begun);
const connections =
  (tls: boolean): Load =>
  (server, seconds, begun) =>
    measureConnecting(server, tls, seconds, { warmUpSeconds }, begun);

/** What a box does at a site, each with what is counted. */
const loads: Readonly<Record<string, Load>> = {
  'a message, 16 in flight, plain': messages({}),
  'a message, 16 in flight, TLS with AES-128': messages({ tls: true, suite: 'TLS_AES_128_GCM_SHA256' }),
  'a message, 16 in flight, TLS with ChaCha20': messages({ tls: true, suite: 'TLS_CHACHA20_POLY1305_SHA256' }),
  'a message, one in flight, plain': messages({ connections: 200, window: 1 }),
  'a connection of a known device, plain': connections(false),
  'a connection of a known device, TLS with ECDSA': connections(true),
};

/** OpenSSL then uses what every ARMv8 has: a Raspberry Pi 4 has no instructions for AES and SHA. */
const withoutCrypto = 'OPENSSL_armcap=1';

/**
 * What the executable for ARM costs in instructions: they are the same on every board, whatever
 * emulates it, and what docs/arm.md calculates with. The kernel's share comes from this machine.
 */
export async function armInstructions(pace: Pace): Promise<Row[]> {
  await using folder = await temporaryFolder();
  const plugin = join(folder.path, 'count.so');
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', plugin, `${root}bench/arm/count-instructions.c`]);
  const rows: Row[] = [];
  for (const [name, load] of Object.entries(loads)) {
    pace.note(name);
    const [counts, mains, kernel]: [number[], number[], number[]] = [[], [], []];
    const emulated: Measured[] = [];
    for (let round = 0; round < pace.rounds; round++) {
      const file = join(folder.path, `instructions-${rows.length}-${round}`);
      const { all, main, measured } = await counted(plugin, file, load, Math.max(secondsMin, pace.seconds));
      counts.push(all / measured.acknowledged);
      mains.push(main / all);
      emulated.push(measured);
      kernel.push(await kernelShare(load, pace.seconds));
      pace.note(
        `  round ${round + 1}: ${Math.round(counts.at(-1)!)} instructions, ${percent(kernel.at(-1)!)} in the kernel`,
      );
    }
    rows.push({
      what: `instructions of the executable for ARM for ${name}`,
      own: spread(counts),
      peer: '',
      beside: '',
      ratio: '',
      bar: '',
      met: null,
      why: `${spread(mains.map(share => share * 100))} % of them in the main thread; counted under qemu-aarch64 (OpenSSL without instructions for AES and SHA, as on a Raspberry Pi 4), all threads, but without the kernel, and without the tables that are filled when somebody asks; on this machine the kernel takes ${spread(kernel.map(share => share * 100))} % of the processor time for it; the emulator reached ${spread(of(emulated, 'perSecond'))}/s`,
    });
  }
  return rows;
}

async function counted(plugin: string, file: string, load: Load, seconds: number) {
  const command = [
    'env',
    withoutCrypto,
    'qemu-aarch64',
    '-plugin',
    `${plugin},out=${file}`,
    '-L',
    armLibraries,
    binaryFor('arm64'),
  ];
  await using server = await startBox({ command });
  let before = instructionsIn(file);
  const measured = await load(server, seconds, () => {
    before = instructionsIn(file);
  });
  const after = instructionsIn(file);
  return { all: after.all - before.all, main: after.main - before.main, measured };
}

/** Of the processor time of the same load on this machine, natively. */
async function kernelShare(load: Load, seconds: number): Promise<number> {
  await using server = await startBox();
  let before = processorShares(server.pid);
  await load(server, seconds, () => {
    before = processorShares(server.pid);
  });
  const after = processorShares(server.pid);
  const [user, system] = [after.user - before.user, after.system - before.system];
  return system / (user + system);
}

/** So far; the first counter is that of the main thread. */
function instructionsIn(file: string): { readonly all: number; readonly main: number } {
  const counters = readFileSync(file);
  let all = 0;
  for (let at = 0; at < counters.length; at += 64) all += Number(counters.readBigUInt64LE(at));
  return { all, main: Number(counters.readBigUInt64LE(0)) };
}
