import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Message, type MessageBus, sessionBus } from 'dbus-next';
import { hasTool, suiteWhere } from './tools.ts';
import { until } from './until.ts';

/** The system's own interpreter, since only it has the packages of the distribution. */
const python = '/usr/bin/python3';

const hasMocks = (): boolean =>
  hasTool('dbus-daemon') && spawnSync(python, ['-c', 'import dbusmock, gi'], { stdio: 'ignore' }).status === 0;

/**
 * A suite that needs a bus with simulated services on it. Named as skipped where python3-dbusmock
 * is not installed.
 */
export function suiteWithBus(name: string, body: () => void): void {
  suiteWhere(hasMocks(), 'needs python3-dbusmock: apt-get install python3-dbusmock dbus-daemon', name, body);
}

/** A template of the project in `test/support/dbusmock/`, such as `bluez5_gatehouse`. */
export const ourTemplate = (name: string): string => fileURLToPath(new URL(`dbusmock/${name}.py`, import.meta.url));

/** Found by a word in the name of their template. */
const services = [
  ['bluez', 'org.bluez'],
  ['networkmanager', 'org.freedesktop.NetworkManager'],
  ['rauc', 'de.pengutronix.rauc'],
  ['logind', 'org.freedesktop.login1'],
] as const;
/** Their control methods are at the root of their objects. */
const rooted = new Set(['org.bluez', 'de.pengutronix.rauc']);

export const busConfig = (socket: string): string => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=${socket}</listen>
  <policy context="default">
    <allow user="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/**
 * Calls one method; the signature is that of the arguments. Variants are `new Variant('s', 'x')` of
 * dbus-next.
 */
export async function callBus(
  bus: MessageBus,
  where: { readonly destination: string; readonly path: string; readonly interface: string; readonly member: string },
  signature = '',
  body: readonly unknown[] = [],
): Promise<unknown> {
  const reply = await bus.call(new Message({ ...where, signature, body: [...body] }));
  return reply?.body[0];
}

/** A simulated service: a process with a template of python-dbusmock. */
export class MockService implements AsyncDisposable {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #bus: () => MessageBus;
  /** What it wrote to standard error. */
  stderr = '';

  constructor(name: string, child: ChildProcess, bus: () => MessageBus) {
    this.name = name;
    this.#child = child;
    this.#bus = bus;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /**
   * A control method of the template, at its main object: `org.bluez.Mock` of bluez5,
   * `org.freedesktop.NetworkManager.Mock`.
   */
  control(member: string, signature = '', ...body: unknown[]): Promise<unknown> {
    const path = rooted.has(this.name) ? '/' : `/${this.name.replaceAll('.', '/')}`;
    return this.call({ path, interface: `${this.name}.Mock`, member }, signature, ...body);
  }

  /** Any method of any object of the service. */
  call(
    where: { readonly path: string; readonly interface: string; readonly member: string },
    signature = '',
    ...body: unknown[]
  ): Promise<unknown> {
    return callBus(this.#bus(), { destination: this.name, ...where }, signature, body);
  }

  /** Calls that were made to an object, as python-dbusmock logs them: moment, method, arguments. */
  async calls(path: string): Promise<readonly (readonly [bigint | number, string, readonly unknown[]])[]> {
    return (await this.call({ path, interface: 'org.freedesktop.DBus.Mock', member: 'GetCalls' })) as never;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await end(this.#child);
  }
}

/** Ends a process that this file started, by its id. */
async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/**
 * A system bus of the test's own: a real dbus-daemon on a socket in a temporary folder, where
 * everybody may do everything.
 */
export class TestBus implements AsyncDisposable {
  readonly folder: string;
  readonly socket: string;
  /** What `DBUS_SYSTEM_BUS_ADDRESS` is to be. */
  readonly address: string;
  #daemon: ChildProcess | undefined;
  #client: MessageBus | undefined;
  readonly #mocks: MockService[] = [];

  private constructor(folder: string) {
    this.folder = folder;
    this.socket = join(folder, 'bus');
    this.address = `unix:path=${this.socket}`;
  }

  /**
   * With a daemon that answers, unless `daemon: false`: then `start()` brings it up later. `below`:
   * the folder in which its own is made.
   */
  static async open({ daemon = true, below = tmpdir() } = {}): Promise<TestBus> {
    const bus = new TestBus(await mkdtemp(join(below, 'gatehouse-bus-')));
    if (daemon) await bus.start();
    return bus;
  }

  async start(): Promise<void> {
    const config = join(this.folder, 'bus.conf');
    await writeFile(config, busConfig(this.socket));
    const daemon = spawn('dbus-daemon', [`--config-file=${config}`, '--nofork', '--nopidfile', '--print-address'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#daemon = daemon;
    await Promise.race([
      once(daemon.stdout, 'data'),
      once(daemon, 'exit').then(([code]) => Promise.reject(new Error(`dbus-daemon ended with ${code}`))),
    ]);
  }

  /** Ends the daemon and what was on it; `start()` brings up an empty one. */
  async stop(): Promise<void> {
    this.#client?.disconnect();
    this.#client = undefined;
    for (const mock of this.#mocks.splice(0)) await mock[Symbol.asyncDispose]();
    await end(this.#daemon);
    this.#daemon = undefined;
    await rm(this.socket, { force: true });
  }

  /**
   * A service on this bus: the name of a template of python-dbusmock (`networkmanager`), or the
   * path of one (`ourTemplate`).
   */
  async mock(template: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<MockService> {
    const child = spawn(
      python,
      ['-m', 'dbusmock', '--system', '--template', template, '--parameters', JSON.stringify(parameters)],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: this.address } },
    );
    const [, name] = services.find(([word]) => template.includes(word))!;
    const mock = new MockService(name, child, () => this.client());
    this.#mocks.push(mock);
    await until(`${name} answers on the bus`, async () => {
      if (mock.ended) throw new Error(`the mock ended: ${mock.stderr}`);
      // The service has its name before the template is loaded: waits for an object of the
      // template.
      const path = name === 'de.pengutronix.rauc' ? '/' : `/${name.replaceAll('.', '/')}`;
      await mock.call({ path, interface: 'org.freedesktop.DBus.Mock', member: 'GetCalls' });
      return true;
    });
    return mock;
  }

  /** The test's own connection; one, because each costs a handshake. */
  client(): MessageBus {
    if (!this.#client) {
      this.#client = sessionBus({ busAddress: this.address });
      this.#client.on('error', () => {});
    }
    return this.#client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
