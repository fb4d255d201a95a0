import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../src/runtime/log.ts';
import type { Entry, RecordOf } from '../history/entry.ts';
import { judgeAll } from '../history/judge.ts';
import { seededRandom } from '../support/clock.ts';
import { layEmptyStore } from '../support/empty-store.ts';
import type { Box } from './box.ts';
import { Cloud } from './cloud.ts';
import { digestOf } from './digest.ts';
import { Disk, type Leftover, simulatedFiles } from './disk.ts';
import { goodWay, Socket } from './network.ts';
import { type ThreadEntries, takeTheWorldFromNode } from './ports.ts';
import { Script } from './script.ts';
import type { Plan, Step } from './steps.ts';
import { productKey, Terminal } from './terminal.ts';
import { Killed, Lane, Life, World } from './world.ts';

export interface Outcome {
  readonly digest: string;
  readonly findings: readonly string[];
  /** NDJSON, as test/history/README.md describes it. */
  readonly history: string;
  readonly hours: number;
  readonly records: number;
  readonly faults: number;
  readonly events: number;
}

/** 21 November 2025, 10:13 in Shanghai. */
const startsAt = 1_763_691_200_000;
const cloudPort = 1883;
const diskBytes = 32 << 20;
const restartMs = 5_000;
const crashesMax = 5;
/** A week has a million. */
const stepsMax = 5_000_000;
const settledWithinMs = 6 * 3_600_000;

const lines = { refused: { refuses: true }, silent: { isSilent: true }, slow: { jitterMs: 3000 } };

let present: Simulation | null = null;
let box: typeof import('./box.ts');

/** Once, before the first plan is carried out: from then on this process lives in simulations. */
export async function beginSimulating(): Promise<void> {
  const here = () => {
    if (!present) throw new Error('nothing is simulated');
    return present;
  };
  const threads: ThreadEntries = {
    writer: (port, data) => box.boxThreads.writer!(port, data),
    reader: (port, data) => box.boxThreads.reader!(port, data),
  };
  // Made once, by the real program on the real disk.
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-first-'));
  layEmptyStore(folder);
  rmSync(folder, { recursive: true });
  // Whatever takes a function of Node at its start takes the simulated one.
  await import('mqtt').then(({ default: mqtt }) => mqtt.connect);
  takeTheWorldFromNode({
    world: () => here().world,
    threads,
    net: { connect: ({ host, port }) => here().connectOut(host, port) },
    fs: simulatedFiles(
      path => (present && path.startsWith(present.folder) ? present.disk : null),
      () => present?.world.lane?.life ?? null,
    ),
  });
  box = await import('./box.ts');
  process.on('unhandledRejection', error => here().world.uncaught(error));
}

/** Carries out a plan in `folder`, which is deleted afterwards. The same plan has the same outcome. */
export async function simulate(plan: Plan, folder: string): Promise<Outcome> {
  const simulation = new Simulation(plan, folder);
  present = simulation;
  try {
    return await simulation.run();
  } finally {
    present = null;
    simulation.disk.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Simulation {
  readonly world: World;
  readonly folder: string;
  readonly disk: Disk;
  readonly #plan: Plan;
  readonly #script: Script;
  readonly #cloud: Cloud;
  readonly #wayToCloud = goodWay();
  readonly #wayOfDevices = goodWay();
  readonly #terminals: Terminal[];
  readonly #findings: string[] = [];
  #life: Life | null = null;
  #lane: Lane | null = null;
  #box: Box | null = null;
  #isOver = false;
  #faults = 0;
  #paidTo = 0;
  #isSiteLaid = false;

  constructor(plan: Plan, folder: string) {
    this.#plan = plan;
    this.folder = folder;
    this.world = new World(plan.seed, startsAt);
    this.#script = new Script(this.world);
    this.disk = new Disk(this.world, join(folder, 'disk'), {
      sizeBytes: diskBytes,
      random: seededRandom(plan.seed + 1),
    });
    this.#cloud = new Cloud(this.world, this.#script);
    this.world.onUncaught = (error, life) => this.#crashed(error, life);
    this.#terminals = Array.from({ length: plan.devices }, (_, index) => {
      const deviceId = `FACE-T1_A000${index + 1}`;
      const since = Math.floor(startsAt / 1000);
      return new Terminal(this.world, this.#script, { deviceId, since, dial: () => this.#connectIn(deviceId) });
    });
  }

  async run(): Promise<Outcome> {
    const { world } = this;
    layEmptyStore(this.disk.folder);
    this.#start();
    for (const terminal of this.#terminals) terminal.start();
    for (const step of this.#plan.steps) world.after(step.at, () => this.#do(step), null);
    world.after(this.#plan.ms, () => this.#settle(), null);
    await world.run(() => {
      if (world.steps > stepsMax) this.#giveUp();
      return this.#isOver;
    });
    const history = `${this.#script.lines.join('\n')}\n`;
    const verdict = judgeAll(this.#script.lines.map(line => JSON.parse(line) as Entry));
    return {
      digest: createHash('sha256').update(history).digest('hex'),
      findings: [...this.#findings, ...verdict.findings.map(({ rule, says }) => `${rule}: ${says}`)],
      history,
      hours: world.now / 3_600_000,
      records: this.#terminals.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
      faults: this.#faults,
      events: world.steps,
    };
  }

  /** A program of the box connects to the cloud. */
  connectOut(_host: string, port: number): Socket {
    const { world } = this;
    if (this.#wayToCloud.refuses || port !== cloudPort) {
      const socket = Socket.toNobody(world, this.#wayToCloud);
      socket.fail('ECONNREFUSED');
      return socket;
    }
    const [here, there] = Socket.pair(world, this.#wayToCloud, [world.lane, null]);
    world.after(1, () => this.#cloud.handle(there), null);
    return here;
  }

  #connectIn(deviceId: string): Socket {
    const { world } = this;
    const [open, lane] = [this.#box, this.#lane];
    if (!open || !lane) {
      const socket = Socket.toNobody(world, this.#wayOfDevices);
      socket.fail('ECONNREFUSED');
      return socket;
    }
    const [device, served] = Socket.pair(world, this.#wayOfDevices, [null, lane]);
    world.after(
      1,
      () => open.devices.handleMqtt(served, { address: `10.0.0.${deviceId.at(-1)}`, loggedIn() {} }),
      lane,
    );
    return device;
  }

  #start(): void {
    const life = new Life('box');
    const lane = new Lane(life);
    this.#life = life;
    this.#lane = lane;
    this.world.after(
      0,
      () =>
        void this.#opened()
          .then(open => {
            if (life.isDead) return;
            this.#box = open;
            this.#script.note('the box is up');
            this.#writeEachMinute(open);
          })
          .catch(error => this.#crashed(error, life)),
      lane,
    );
  }

  async #opened(): Promise<Box> {
    const { folder: dataDir } = this.disk;
    const { tablesRestMs } = this.#plan;
    const opened = await box.openBox({ dataDir, tablesRestMs, cloud: `mqtt://cloud:${cloudPort}`, log: this.#log() });
    if (!this.#isSiteLaid) await this.#laySite(opened);
    return opened;
  }

  /** As the whole box does for its history: a store that had no room learns that it has. */
  #writeEachMinute({ store }: Pick<Box, 'store'>): void {
    this.world.after(60_000, () => {
      store.write.noteEvents({ events: [] }).catch(() => {});
      this.#writeEachMinute({ store });
    });
  }

  async #laySite({ store }: Box): Promise<void> {
    const product = {
      product_id: 'FACE-T1',
      product_key: productKey,
      name: 'Face terminal',
      model: 'FT1',
      access: 'both',
    };
    const site = {
      products: [product],
      departments: [{ ext_id: '0', name: 'Plant' }],
      employees: [{ ext_id: 'e1', name: 'Ada', department: { ext_id: '0' } }],
    } as never;
    const changes = await store.write.applySite({ site, prune: false, dryRun: false, at: startsAt });
    if (!Array.isArray(changes)) throw new Error(JSON.stringify(changes));
    await store.write.initCheckIns({ at: startsAt, withAll: true });
    this.#isSiteLaid = true;
  }

  /** A program that threw where nobody caught it. One that cannot open its store tries again. */
  #crashed(error: unknown, life: Life): void {
    if (error instanceof Killed || life.isDead) return;
    const { name, message, stack } = error as Error;
    this.#script.note(`the box ended: ${name}: ${message.replaceAll(this.folder, '')}`);
    if (name !== 'StoreOpenError') this.#findings.push(`crashed: ${stack?.replaceAll(this.folder, '')}`);
    if (this.#findings.length > crashesMax) this.#isOver = true;
    this.#end(null, restartMs);
  }

  /** `leftover` null: the process is killed, and the kernel goes on. */
  #end(leftover: Leftover | null, downMs: number): void {
    if (!this.#life || this.#life.isDead) return;
    this.#life.end();
    this.#box = null;
    this.#lane = null;
    this.disk.cutIn = null;
    this.disk.restart(leftover);
    this.world.after(downMs, () => this.#start(), null);
  }

  #do(step: Step): void {
    const { world, disk } = this;
    const within = (ms: number, end: () => unknown) => void world.after(ms, end, null);
    if (step.do !== 'say' && step.do !== 'payroll') {
      this.#faults++;
      const { at: _, ...deed } = step;
      this.#script.note(JSON.stringify(deed));
    }
    if (step.do === 'say') this.#terminals[step.device]!.say(step.kind, step.count);
    else if (step.do === 'payroll') this.#inBox(open => this.#pay(open));
    else if (step.do === 'kill') this.#end(step.leftover, step.downMs);
    else if (step.do === 'cut in a commit') {
      disk.cutIn = { commits: step.commits, place: step.place };
      disk.onCut = () => this.#end(step.leftover, step.downMs);
    } else if (step.do === 'stop') this.#stop(step.downMs);
    else if (step.do === 'disk full') {
      disk.isFull = true;
      within(step.ms, () => (disk.isFull = false));
    } else if (step.do === 'flushes fail') disk.failingFlushes = step.count;
    else if (step.do === 'a flush takes') disk.nextFlushMs = step.ms;
    else if (step.do === 'set the clock') world.ahead += step.byMs;
    else if (step.do === 'cloud') {
      this.#cloud.fault = step.fault;
      within(step.ms, () => (this.#cloud.fault = null));
    } else if (step.do === 'line to the cloud') {
      Object.assign(this.#wayToCloud, lines[step.is]);
      within(step.ms, () => Object.assign(this.#wayToCloud, goodWay()));
    } else if (step.do === 'reset the line to the cloud') this.#cloud.reset();
    else this.#terminals[step.device]!.breakLine(step.isSilent);
  }

  /** Where the box is up. */
  #inBox(act: (open: Box) => Promise<unknown>): void {
    const [open, life] = [this.#box, this.#life];
    if (!open || !life) return;
    this.world.after(0, () => void act(open).catch(error => this.#refused(error, life)), this.#lane);
  }

  #refused(error: unknown, life: Life): void {
    if ((error as Error).name === 'StoreError') return;
    this.#crashed(error, life);
  }

  #stop(downMs: number): void {
    const life = this.#life;
    this.#inBox(async open => {
      this.#box = null;
      await open.close();
      if (life === this.#life) this.#end('none', downMs);
    });
  }

  /** Payroll reads on from where it was; what it is given it has. */
  async #pay({ store }: Box): Promise<void> {
    for (;;) {
      const from = this.#paidTo;
      const page = await store.read.checkInPage({ after: from, limit: 20 } as never);
      if (page.count === 0) return;
      const rows = JSON.parse(`[${Buffer.concat(page.records.map(one => Buffer.from(one))).toString()}]`);
      const ids = rows.map(({ id }: { id: string }) => Number(id));
      this.#paidTo = page.next;
      this.#script.write('payroll', { op: 'page', program: 'payroll', from, next_id: page.next, ids });
    }
  }

  /** No more faults: everything has to arrive. */
  #settle(): void {
    const { disk, world } = this;
    disk.isFull = false;
    disk.failingFlushes = 0;
    disk.nextFlushMs = 0;
    disk.cutIn = null;
    this.#cloud.fault = null;
    Object.assign(this.#wayToCloud, goodWay());
    this.#script.note('no more faults');
    world.after(settledWithinMs, () => this.#giveUp(), null);
    this.#lookWhetherSettled();
  }

  #lookWhetherSettled(): void {
    this.world.after(
      10_000,
      () => {
        const isSaid = this.#terminals.every(({ waiting }) => waiting.length === 0);
        if (isSaid) this.#inBox(open => this.#readAll(open));
        if (!this.#isOver) this.#lookWhetherSettled();
      },
      null,
    );
  }

  #giveUp(): void {
    const waiting = this.#terminals.map(one => `${one.deviceId}: ${one.waiting.length}`).join(', ');
    this.#findings.push(`stuck: six hours after the last fault devices still have records (${waiting}) or the box has`);
    this.#isOver = true;
  }

  async #readAll(open: Box): Promise<void> {
    const { outbox } = await open.upstream.status();
    if (outbox.waiting > 0) return;
    await open.store.whole();
    const checkins = await open.store.read.checkins({ limit: 1e6 });
    const logs = await open.store.read.logs({ limit: 1e6 });
    const parked = await open.store.read.parkedPage({ after: -1, limit: 1e6 });
    await this.#pay(open);
    if (this.#isOver) return;
    const script = this.#script;
    const records = new Map<number, RecordOf>([
      ...checkins.map(({ seq, deviceId, checkTime }) => [seq, checkInOf(deviceId, checkTime)] as const),
      ...logs.map(({ seq, device_id, text }) => [seq, logOf(device_id, text)] as const),
    ]);
    for (const { seq } of parked) script.write('box', { op: 'parked', to: 'cloud', ...records.get(seq)! });
    script.write('box', { op: 'drained', to: 'cloud' });
    script.write('staff', { op: 'read', store: 'box', kind: 'message' });
    for (const { id, deviceId, checkTime } of checkins)
      script.write('staff', { op: 'row', store: 'box', ...checkInOf(deviceId, checkTime), id });
    script.write('staff', { op: 'read_end', store: 'box', kind: 'message' });
    script.write('staff', { op: 'read', store: 'box', kind: 'log' });
    for (const { device_id, text } of logs)
      script.write('staff', { op: 'row', store: 'box', ...logOf(device_id, text), digest: digestOf(text) });
    script.write('staff', { op: 'read_end', store: 'box', kind: 'log' });
    script.write('payroll', { op: 'level', program: 'payroll', store: 'box', kind: 'message' });
    this.#isOver = true;
  }

  #log(): Log {
    const write =
      (level: string) =>
      (fields: object, code: string): void =>
        this.#script.note(`${level} ${code} ${JSON.stringify(fields)}`);
    const log: Log = { debug() {}, info() {}, warn: write('warn'), error: write('error'), child: () => log } as Log;
    return log;
  }
}

/** A record's number is in its row: of a check-in by its time, of a log by its text. */
const checkInOf = (device: string, checkTime: number): RecordOf => ({
  ...{ device, kind: 'message', n: checkTime - Math.floor(startsAt / 1000) },
});

const logOf = (device: string, text: string): RecordOf => ({ device, kind: 'log', n: Number(/\d+/.exec(text)?.[0]) });
