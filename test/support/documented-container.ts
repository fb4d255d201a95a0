import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ContainerEngine } from './container-engine.ts';
import { until } from './until.ts';

export const containerPage = readFileSync(fileURLToPath(new URL('../../docs/container.md', import.meta.url)), 'utf8');

/** A box in a container, by the commands of docs/container.md. */
export class DocumentedContainer implements Disposable {
  readonly engine = new ContainerEngine();
  readonly #version: string;
  readonly #newer: string;
  readonly #more: string;

  /** Versions stand for 1.0.0 and 1.0.1 of the page. `more`: further options of the box. */
  constructor(version: string, newer: string, more = '') {
    this.#version = version;
    this.#newer = newer;
    this.#more = more;
  }

  /** Listeners of the box, such as `MQTTS`, with their addresses: other suites listen on this machine too. */
  listen(listeners: Readonly<Record<string, string>>): void {
    const lines = Object.entries(listeners).map(([name, address]) => `GATEHOUSE_LISTEN__${name}=${address}`);
    const settings = [...lines, 'GATEHOUSE_PROVISIONING__RESULT_LISTEN=off', ''];
    writeFileSync(join(this.engine.folder, 'ports.env'), settings.join('\n'));
  }

  /** Commands of the page, by the name behind their fence, for the versions under test. */
  commandsOf(name: string, [version, newer] = [this.#version, this.#newer]): string {
    const [, block] = new RegExp(`^\`\`\`sh ${name}\n(.*?)^\`\`\`$`, 'ms').exec(containerPage) ?? [];
    if (block === undefined) throw new Error(`docs/container.md: no block "${name}"`);
    return block
      .replaceAll('1.0.1', newer)
      .replaceAll('1.0.0', version)
      .replaceAll('sudo ', '')
      .replaceAll('--network host', `--network host --env-file ports.env ${this.#more}`)
      .replaceAll('--network none', `--network none ${this.#more}`);
  }

  run(name: string): Promise<string> {
    return this.engine.done(this.commandsOf(name));
  }

  /** "The way back is the same with the older tag", whose image is loaded. */
  back(): Promise<string> {
    const commands = this.commandsOf('update', [this.#version, this.#version]);
    return this.engine.done(commands.replace(/^docker load.*$/m, ''));
  }

  /** The addresses of the ready line of this start of the container; waits for it. */
  async ready(starts: number): Promise<Record<string, string>> {
    return until('the box is ready', async () => {
      const { stdout, stderr } = await this.engine.sh('podman logs gatehouse');
      const lines = [...`${stdout}${stderr}`.matchAll(/^ready (\{.*\})$/gm)];
      return lines.length >= starts && JSON.parse(lines.at(-1)![1]!);
    });
  }

  /** The process id of the box. */
  async pid(): Promise<number> {
    return Number(await this.engine.done("podman inspect --format '{{.State.Pid}}' gatehouse"));
  }

  /** The folder of a volume, on this machine. */
  async folderOf(volume: string): Promise<string> {
    return (await this.engine.done(`podman volume inspect --format '{{.Mountpoint}}' ${volume}`)).trim();
  }

  [Symbol.dispose](): void {
    this.engine[Symbol.dispose]();
  }
}
