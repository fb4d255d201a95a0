import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { FuseDisk } from '../test/power/fuse-disk.ts';
import { hasPostgres } from '../test/support/postgres.ts';
import { canLimitProcessor } from './half-core.ts';
import { mosquitto, root } from './machine.ts';
import { hasRabbitMq } from './region/rabbitmq.ts';

const runs = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

export const armLibraries = '/usr/aarch64-linux-gnu';
export const binaryFor = (architecture: 'arm64' | 'x64'): string =>
  `${root}dist/binary/gatehouse-linux-${architecture}`;

const openFiles = (): number => Number(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout.trim() || 0);

/** What a row may need beside Node, and the one command that brings it. */
export const tools = {
  mosquitto: { there: () => mosquitto !== null, bring: 'apt-get install mosquitto' },
  PostgreSQL: { there: () => hasPostgres, bring: 'apt-get install postgresql' },
  RabbitMQ: { there: () => hasRabbitMq, bring: 'apt-get install rabbitmq-server' },
  strace: { there: () => runs('strace', '-V'), bring: 'apt-get install strace' },
  openssl: { there: () => runs('openssl', 'version'), bring: 'apt-get install openssl' },
  'the emulator for ARM': {
    there: () =>
      runs('qemu-aarch64-static', '--version') &&
      ['libatomic.so.1', 'libstdc++.so.6'].every(one => existsSync(`${armLibraries}/lib/${one}`)),
    bring: 'apt-get install qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross',
  },
  'the emulator with plugins': { there: () => runs('qemu-aarch64', '--version'), bring: 'apt-get install qemu-user' },
  'a C compiler': { there: () => runs('cc', '--version'), bring: 'apt-get install gcc libc6-dev' },
  'the binary for arm64': {
    there: () => existsSync(binaryFor('arm64')),
    bring: 'npm run build:binary -- --arch arm64',
  },
  'the binary for x64': { there: () => existsSync(binaryFor('x64')), bring: 'npm run build:binary -- --arch x64' },
  'a control group': { there: canLimitProcessor, bring: 'sudo npm run bench -- --only half-core' },
  'a disk of our own': { there: () => FuseDisk.possible, bring: 'sudo modprobe fuse loop' },
  '6000 open files': { there: () => openFiles() >= 6000, bring: 'ulimit -Hn 6000' },
  '20000 open files': { there: () => openFiles() >= 20_000, bring: 'ulimit -Hn 20000' },
  '12000 open files': { there: () => openFiles() >= 12_000, bring: 'ulimit -Hn 12000' },
} as const;

export type Tool = keyof typeof tools;
