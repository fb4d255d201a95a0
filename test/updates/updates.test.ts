import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { openUpdates, type Updates } from '../../src/updates/index.ts';
import { suiteWithBus, TestBus } from '../support/dbus.ts';
import { until } from '../support/until.ts';
import { aBundle, raucOn, twoSystems } from '../support/updates.ts';

interface Change {
  readonly storeBytes?: number;
  readonly watched?: boolean;
  readonly isInContainer?: boolean;
}

/** A box as far as updates know it, with a folder for everything. */
class UpdatedBox implements AsyncDisposable {
  readonly folder: string;
  readonly backups: string[] = [];
  left = 0;
  updates!: Updates;
  #before: string | undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  underWay = false;

  static async open(bus: TestBus | null, change: Change = {}): Promise<UpdatedBox> {
    const box = new UpdatedBox(await mkdtemp(join(tmpdir(), 'gatehouse-updates-')));
    box.#before = process.env.DBUS_SYSTEM_BUS_ADDRESS;
    process.env.DBUS_SYSTEM_BUS_ADDRESS = bus?.address ?? `unix:path=${box.folder}/none`;
    for (const name of ['data', 'programs', 'sticks', 'run']) await mkdir(join(box.folder, name));
    await box.start(change);
    return box;
  }

  /** Opens again on the same folders, as after a restart. */
  async start({ storeBytes = 1000, watched = true, isInContainer = false }: Change = {}): Promise<void> {
    this.updates = await openUpdates({
      dataDir: join(this.folder, 'data'),
      programDir: join(this.folder, 'programs'),
      sticksDir: join(this.folder, 'sticks'),
      runtimeDir: join(this.folder, 'run'),
      isInContainer,
      version: '0.1.0',
      processor: process.arch,
      // Who waits for the answer to be out is not waited for.
      clock: { ...realClock, sleep: (ms, signal) => realClock.sleep(ms === 1500 ? 1 : ms, signal) },
      log: silentLog,
      storeBytes: () => storeBytes,
      underWay: on => {
        this.underWay = on;
      },
      backup: async file => {
        this.backups.push(file);
        await writeFile(file, 'backup');
      },
      leaver: () => (watched ? () => void this.left++ : null),
    });
  }

  readonly program = (name: string, text: string) => writeFile(join(this.folder, 'programs', name), text);
  readonly whenIdle = () =>
    until('the update is over', async () => {
      const { progress, last } = await this.updates.report();
      return (progress === null || progress.step === 'restarting') && last?.outcome !== 'installing';
    });

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#before === undefined) delete process.env.DBUS_SYSTEM_BUS_ADDRESS;
    else process.env.DBUS_SYSTEM_BUS_ADDRESS = this.#before;
    await rm(this.folder, { recursive: true, force: true });
  }
}

suiteWithBus('updates', () => {
  test('a program is inspected, a backup made, the program installed, and the box leaves to be started on it', async () => {
    await using bus = await TestBus.open();
    const rauc = await raucOn(bus);
    await using box = await UpdatedBox.open(bus);
    const file = await aBundle(box.folder);
    expect(await box.updates.inspect(file)).toEqual({
      file,
      kind: 'program',
      compatible: `gatehouse-program-${process.arch}`,
      version: '0.2.0',
      description: 'Reads cards faster',
      refused: null,
      refused_said: null,
      olderThan: null,
    });
    await rauc.control('Hold', 'b', true);
    await box.updates.start(file);
    await expect(box.updates.start(file)).rejects.toMatchObject({ code: 'busy' });
    await until('it installs', async () => (await box.updates.report()).progress?.step === 'installing');
    expect(box.backups).toHaveLength(1);
    expect(box.underWay).toBe(true);
    await rauc.control('Hold', 'b', false);
    await until('the box leaves', () => box.left === 1);
    const report = await box.updates.report();
    expect(report.last).toMatchObject({ kind: 'program', from: '0.1.0', to: '0.2.0', outcome: 'installed' });
    expect(report.progress).toMatchObject({ step: 'restarting', to: '0.2.0' });
  });

  test('the verdict of the minute after the restart is reported, with its reason', async () => {
    await using bus = await TestBus.open();
    await raucOn(bus);
    await using box = await UpdatedBox.open(bus);
    await box.updates.start(await aBundle(box.folder));
    await until('the box leaves', () => box.left === 1);
    const verdict = { kind: 'program', from: '0.1.0', to: '0.2.0', at: 1_795_268_367 };
    await box.program('last-update.json', JSON.stringify({ ...verdict, outcome: 'trying', code: '', params: {} }));
    await box.program('trial', 'to=a\nfrom=packaged\n');
    await box.start();
    expect((await box.updates.report()).last).toMatchObject({ outcome: 'trying' });
    await expect(box.updates.start(await aBundle(box.folder))).rejects.toMatchObject({ code: 'on_trial' });
    await rm(join(box.folder, 'programs/trial'));
    const reason = { code: 'update_unhealthy_starts', params: { starts: '3' } };
    await box.program('last-update.json', JSON.stringify({ ...verdict, outcome: 'rolled-back', ...reason }));
    expect((await box.updates.report()).last).toEqual({
      ...verdict,
      at: 1_795_268_367_000,
      outcome: 'rolled-back',
      why: 'it was not healthy after 3 starts',
      ...reason,
    });
  });

  test('a system is installed only where it belongs, and the machine restarts', async () => {
    await using bus = await TestBus.open();
    await raucOn(bus);
    const logind = await bus.mock('logind');
    await using box = await UpdatedBox.open(bus);
    const other = await aBundle(box.folder, { compatible: 'gatehouse-raspberrypi', version: '9' });
    expect(await box.updates.inspect(other)).toMatchObject({
      kind: 'image',
      refused: 'it is for gatehouse-raspberrypi, and this is gatehouse-generic-arm64: take the bundle for this machine',
    });
    await expect(box.updates.start(other)).rejects.toMatchObject({ code: 'wrong_machine' });
    expect(box.backups).toEqual([]);
    await box.updates.start(await aBundle(box.folder, { compatible: 'gatehouse-generic-arm64', version: '8' }));
    const calls = async () => (await logind.calls('/org/freedesktop/login1')).map(([, name]) => name);
    await until('the machine restarts', async () => (await calls()).includes('Reboot'));
    expect((await box.updates.report()).last).toMatchObject({ kind: 'image', to: '8', outcome: 'installed' });
    expect(box.left).toBe(0);
  });

  test('a bundle that somebody else signed, or that is none, is refused before anything else', async () => {
    await using bus = await TestBus.open();
    await raucOn(bus);
    await using box = await UpdatedBox.open(bus);
    const forged = await aBundle(box.folder, { signed: 'by them' });
    await expect(box.updates.start(forged)).rejects.toMatchObject({ code: 'untrusted' });
    const holiday = join(box.folder, 'holiday.jpg');
    await writeFile(holiday, 'a picture');
    await expect(box.updates.inspect(holiday)).rejects.toMatchObject({ code: 'unreadable' });
    expect(box.backups).toEqual([]);
    expect((await box.updates.report()).last).toBeNull();
  });

  test('a bundle that is signed well and older than what runs is installed only when an administrator says so', async () => {
    await using bus = await TestBus.open();
    const [[name, booted], other] = twoSystems;
    await raucOn(bus, { slots: [[name, { ...booted, 'bundle.version': '2026.10.2' }], other] });
    await using box = await UpdatedBox.open(bus);
    const program = await aBundle(box.folder, { version: '0.0.9' });
    const system = await aBundle(box.folder, { compatible: 'gatehouse-generic-arm64', version: '2026.9.30' });
    expect(await box.updates.inspect(system)).toMatchObject({ refused: null, olderThan: '2026.10.2' });
    for (const file of [program, system])
      await expect(box.updates.start(file)).rejects.toMatchObject({
        code: 'older',
        message: expect.stringMatching(/is older than the running (0\.1\.0|2026\.10\.2).*--allow-older/),
      });
    expect(box.backups).toEqual([]);
    const same = await aBundle(box.folder, { compatible: 'gatehouse-generic-arm64', version: '2026.10.2' });
    expect(await box.updates.inspect(same)).toMatchObject({ olderThan: null });
    await box.updates.start(program, { allowOlder: true });
    await until('the box leaves', () => box.left === 1);
    expect((await box.updates.report()).last).toMatchObject({ to: '0.0.9', outcome: 'installed' });
  });

  test('what RAUC could not install leaves the box as it is, with the reason, and it can be tried again', async () => {
    await using bus = await TestBus.open();
    const rauc = await raucOn(bus);
    await using box = await UpdatedBox.open(bus);
    await box.program('refused', '{"code":"update_program_no_room","params":{}}\n');
    await rauc.control('FailNext', 's', 'Installation error: Handler error: Child process exited with code 1');
    await box.updates.start(await aBundle(box.folder));
    await box.whenIdle();
    expect((await box.updates.report()).last).toMatchObject({
      outcome: 'failed',
      code: 'update_program_no_room',
      why: 'the program did not fit on the disk: make room and try again',
    });
    await box.updates.start(await aBundle(box.folder));
    await until('the box leaves', () => box.left === 1);
  });

  test('without room for the backup nothing is installed, and it says how much is needed', async () => {
    await using bus = await TestBus.open();
    await raucOn(bus);
    await using box = await UpdatedBox.open(bus, { storeBytes: 1e15 });
    await box.updates.start(await aBundle(box.folder));
    await box.whenIdle();
    expect((await box.updates.report()).last).toMatchObject({
      outcome: 'failed',
      why: expect.stringMatching(/needs 2\d{9} MB of free disk/),
    });
  });

  test('the two newest backups from before updates stay', async () => {
    await using bus = await TestBus.open();
    await raucOn(bus);
    await using box = await UpdatedBox.open(bus);
    const folder = join(box.folder, 'data/before-update');
    await mkdir(folder);
    for (const name of ['2026-01-01T00-00-00-0.0.1.gh', '2026-02-01T00-00-00-0.0.2.gh', '.gatehouse-backup-cut'])
      await writeFile(join(folder, name), 'old');
    await box.updates.start(await aBundle(box.folder));
    await until('the box leaves', () => box.left === 1);
    expect((await readdir(folder)).sort()).toEqual([
      '2026-02-01T00-00-00-0.0.2.gh',
      expect.stringMatching(/^2\d{3}-.*-0\.1\.0\.gh$/),
    ]);
  });

  test('a power cut during the installation is reported after the start, and the next update may begin', async () => {
    await using bus = await TestBus.open();
    const rauc = await raucOn(bus);
    await using box = await UpdatedBox.open(bus);
    await rauc.control('Hold', 'b', true);
    await box.updates.start(await aBundle(box.folder));
    await until('it installs', async () => (await box.updates.report()).progress?.step === 'installing');
    const note = await readFile(join(box.folder, 'data/update.json'), 'utf8');
    await rauc[Symbol.asyncDispose]();
    await box.whenIdle();
    await writeFile(join(box.folder, 'data/update.json'), note);
    await raucOn(bus);
    await box.start();
    expect((await box.updates.report()).last).toMatchObject({ outcome: 'interrupted' });
    await box.updates.start(await aBundle(box.folder));
    await until('the box leaves', () => box.left === 1);
  });

  test('a box that is restarted while RAUC installs takes the installation to its end', async () => {
    await using bus = await TestBus.open();
    const rauc = await raucOn(bus);
    await using box = await UpdatedBox.open(bus);
    await rauc.control('Hold', 'b', true);
    await box.updates.start(await aBundle(box.folder));
    await until('RAUC installs', async () => (await rauc.calls('/')).some(([, name]) => name === 'InstallBundle'));
    await box.start();
    expect((await box.updates.report()).progress).toMatchObject({ step: 'installing', to: '0.2.0' });
    await rauc.control('Hold', 'b', false);
    await until('both leave, the one before the restart too', () => box.left === 2);
    expect((await box.updates.report()).last).toMatchObject({ outcome: 'installed' });
  });

  test('RAUC that ends while it installs is a failure, not a wait without end', async () => {
    await using bus = await TestBus.open();
    const rauc = await raucOn(bus);
    await using box = await UpdatedBox.open(bus);
    await rauc.control('Hold', 'b', true);
    await box.updates.start(await aBundle(box.folder));
    await until('RAUC installs', async () => ((await box.updates.report()).progress?.percent ?? 0) > 0);
    await rauc[Symbol.asyncDispose]();
    await box.whenIdle();
    expect((await box.updates.report()).last).toMatchObject({
      outcome: 'failed',
      why: 'RAUC ended during the installation',
    });
  });

  test('a rollback of the program is asked of systemd, which watches the runtime directory', async () => {
    await using bus = await TestBus.open();
    await raucOn(bus, { slots: [] });
    await using box = await UpdatedBox.open(bus);
    await expect(box.updates.rollBack()).rejects.toMatchObject({ code: 'nothing_before' });
    await symlink('b', join(box.folder, 'programs/current'));
    await mkdir(join(box.folder, 'programs/a'));
    await box.program('a/version', '0.0.9\n');
    await box.program('previous', 'a\n');
    const report = await box.updates.report();
    expect(report).toMatchObject({
      runs: { program: 'updated', slot: null },
      other: { kind: 'program', version: '0.0.9' },
    });
    await box.updates.rollBack();
    expect(await readdir(join(box.folder, 'run'))).toEqual(['rollback']);
    await box.start();
    expect((await box.updates.report()).last).toMatchObject({
      outcome: 'rolled-back',
      code: 'update_asked_for',
      to: '0.0.9',
    });
  });

  test('a rollback to the packaged program names its version, which root has noted', async () => {
    await using bus = await TestBus.open();
    await raucOn(bus, { slots: [] });
    await using box = await UpdatedBox.open(bus);
    await symlink('a', join(box.folder, 'programs/current'));
    await box.program('previous', 'packaged\n');
    await box.updates.rollBack();
    const { from } = (await box.updates.report()).last!;
    await box.program(
      'last-update.json',
      JSON.stringify({ kind: 'program', from, to: '0.0.9', outcome: 'rolled-back' }),
    );
    await box.start();
    expect((await box.updates.report()).last).toMatchObject({ outcome: 'rolled-back', from, to: '0.0.9' });
  });

  test('a rollback of the system makes the other slot the next one, and restarts the machine', async () => {
    await using bus = await TestBus.open();
    const rauc = await raucOn(bus);
    const logind = await bus.mock('logind');
    await using box = await UpdatedBox.open(bus);
    expect(await box.updates.report()).toMatchObject({ runs: { slot: 'A' }, other: { kind: 'image', version: '6' } });
    await box.updates.rollBack();
    const called = async () => (await logind.calls('/org/freedesktop/login1')).map(([, name]) => name);
    await until('the machine restarts', async () => (await called()).includes('Reboot'));
    expect(await rauc.control('Marked')).toEqual(['active other']);
  });

  test('a slot that the bootloader gave up is nothing to go back to', async () => {
    await using bus = await TestBus.open();
    const [a, [name, b]] = twoSystems;
    await raucOn(bus, { slots: [a, [name, { ...b, 'boot-status': 'bad' }]] });
    await using box = await UpdatedBox.open(bus);
    expect((await box.updates.report()).other).toBeNull();
  });

  test('a machine that nobody restarts says that it must be done by hand', async () => {
    await using bus = await TestBus.open();
    await raucOn(bus);
    await using box = await UpdatedBox.open(bus, { watched: false });
    await box.updates.start(await aBundle(box.folder));
    await until('it is installed', async () => (await box.updates.report()).last?.outcome === 'installed');
    await until('it says so', async () => (await box.updates.report()).last?.why.includes('restart it') === true);
    await box.updates.start(await aBundle(box.folder, { compatible: 'gatehouse-generic-arm64', version: '8' }));
    await until('it says so', async () => /restart it by hand/.test((await box.updates.report()).last?.why ?? ''));
  });

  test('bundles on sticks are found, and one that was sent takes their list’s first place', async () => {
    await using bus = await TestBus.open();
    await raucOn(bus);
    await using box = await UpdatedBox.open(bus);
    const onStick = await aBundle(join(box.folder, 'sticks/sda1'));
    await writeFile(join(box.folder, 'sticks/sda1/holiday.jpg'), 'a picture');
    expect((await box.updates.report()).found.map(({ file }) => file)).toEqual([onStick]);
    const content = await readFile(onStick);
    const stream = () => new Blob([content]).stream();
    const sent = await box.updates.receive(content.length, stream());
    expect(sent).toMatchObject({ version: '0.2.0', refused: null });
    expect((await box.updates.report()).found.map(({ file }) => file)).toEqual([sent.file, onStick]);
    await expect(box.updates.receive(content.length + 1, stream())).rejects.toMatchObject({ code: 'unreadable' });
    await expect(box.updates.receive(content.length - 1, stream())).rejects.toMatchObject({ code: 'unreadable' });
    await expect(box.updates.receive(1e15, stream())).rejects.toMatchObject({ code: 'no_room' });
    expect(await readdir(join(box.folder, 'data/updates'))).toEqual([]);
  });

  test('without RAUC that is said with what to do', async () => {
    await using box = await UpdatedBox.open(null);
    const report = await box.updates.report();
    expect(report).toMatchObject({ impossible: expect.stringContaining('RAUC does not run'), other: null });
    await expect(box.updates.start(await aBundle(box.folder))).rejects.toMatchObject({ code: 'no_updates' });
  });

  test('in a container the image is named as the way to update', async () => {
    await using box = await UpdatedBox.open(null, { isInContainer: true });
    const said = expect.stringContaining('load the newer image and start it on the same volume');
    expect(await box.updates.report()).toMatchObject({ impossible: said });
    await expect(box.updates.start(await aBundle(box.folder))).rejects.toMatchObject({ message: said });
  });
});
