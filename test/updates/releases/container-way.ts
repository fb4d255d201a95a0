import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ContainerEngine } from '../../support/container-engine.ts';
import { DocumentedContainer } from '../../support/documented-container.ts';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { type Made, present } from './made.ts';
import type { UpdatedBox, Way } from './way.ts';

/** The volume of the page after its restore. */
const volume = 'gatehouse-2';

/** The image, by the commands of docs/container.md, which restore the store into a new volume. */
class ByImage implements UpdatedBox {
  readonly #container: DocumentedContainer;
  readonly #ports: Readonly<Record<string, number>>;

  private constructor(container: DocumentedContainer, ports: Readonly<Record<string, number>>) {
    this.#container = container;
    this.#ports = ports;
  }

  static async open(made: Made, fixture: string): Promise<UpdatedBox> {
    const options = `--volume ${made.opt}:/opt:ro --volume "$PWD/gatehouse.yaml:/etc/gatehouse/gatehouse.yaml:ro"`;
    const container = new DocumentedContainer(made.version, present, options);
    const { folder } = container.engine;
    for (const image of [made.release.image, made.present.image]) copyFileSync(image, join(folder, basename(image)));
    for (const name of ['gatehouse.yaml', 'recovery-key.txt']) copyFileSync(join(fixture, name), join(folder, name));
    const box = new ByImage(container, { mqtts: await freePort(), https: await freePort() });
    const listen = (name: string) => `127.0.0.1:${box.port(name)}`;
    container.listen({ MQTTS: listen('mqtts'), HTTPS: listen('https'), HTTP: 'off', METRICS: 'off' });
    await container.run('load');
    await container.run('start');
    copyFileSync(join(fixture, 'store.gh'), join(folder, 'backup/today.gh'));
    await container.engine.done('chown 10001:10001 backup/today.gh');
    await container.run('restore');
    await box.ready();
    return box;
  }

  port(listener: string): number {
    return this.#ports[listener]!;
  }

  ask(...words: string[]): Promise<string> {
    return this.#container.engine.done(`docker exec gatehouse gatehouse ${words.join(' ')}`);
  }

  async ca(): Promise<string> {
    return readFileSync(join(await this.#container.folderOf(volume), 'tls/ca.pem'), 'utf8');
  }

  pid(): Promise<number> {
    return this.#container.pid();
  }

  async ready(): Promise<void> {
    await until('the box is well', async () => {
      const { status } = await this.#container.engine.sh('docker exec gatehouse gatehouse status --check');
      return status === 0;
    });
  }

  async update(): Promise<void> {
    await this.ask('backup', '/backup/before.gh');
    await this.#container.run('update');
  }

  async back(): Promise<void> {
    await this.#container.back();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#container[Symbol.dispose]();
  }
}

export const byImage: Way = { name: 'the container image', missing: ContainerEngine.missing, open: ByImage.open };
