import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import manifest from '../../package.json' with { type: 'json' };
import { architectures } from '../../scripts/build-deb.ts';
import { buildOci } from '../../scripts/build-oci.ts';
import { writeChecksums } from '../../scripts/checksums.ts';
import { signList } from '../../scripts/sign-list.ts';
import { signingKeys } from '../../scripts/signing-keys.ts';
import { ContainerEngine } from '../support/container-engine.ts';
import { containerPage, DocumentedContainer } from '../support/documented-container.ts';
import { documentedCommands } from '../support/release-story.ts';
import { aSite } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { suiteNeeding, suiteWhere } from '../support/tools.ts';

const here = process.arch === 'x64' ? 'amd64' : 'arm64';
const version = manifest.version;
const newer = '99.0.1';
/** Production refuses the key of the other tests. */
const productKey = randomUUID();

const root = fileURLToPath(new URL('../..', import.meta.url));

suiteNeeding('dpkg-deb', 'dpkg', 'the image', () => {
  test('two builds of one commit are identical, for both architectures', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-oci-'));
    try {
      for (const name of Object.values(architectures)) writeFileSync(join(folder, `gatehouse-linux-${name}`), name);
      const sums = [];
      for (const into of ['first', 'second']) {
        const archive = await buildOci({ binaries: folder, into: join(folder, into) });
        sums.push(createHash('sha256').update(readFileSync(archive)).digest('hex'));
      }
      expect(sums[0]).toBe(sums[1]);
      const layout = join(folder, 'first', `gatehouse-${version}`);
      const blob = (digest: string) =>
        JSON.parse(readFileSync(join(layout, 'blobs', digest.replace(':', '/')), 'utf8'));
      const [index] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests;
      const images = blob(index.digest).manifests;
      expect(images.map((one: { platform: object }) => one.platform)).toEqual([
        { architecture: 'arm64', os: 'linux', variant: 'v8' },
        { architecture: 'amd64', os: 'linux' },
      ]);
      const { config } = blob(blob(images[0].digest).config.digest);
      expect(config).toMatchObject({ User: '10001:10001', StopSignal: 'SIGTERM', Volumes: { '/data': {} } });
      expect(config.Labels).toMatchObject({
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{12}/),
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const siteOf = (key: string): string =>
  stringify(aSite({ products: [{ product_id: 'FACE-T1', product_key: key, name: 'Terminal', access: 'both' }] }));

const { missing } = ContainerEngine;
suiteWhere(
  missing.length === 0 && process.getuid?.() === 0,
  missing.length > 0 ? `needs ${missing.join()}: apt-get install podman runc skopeo` : 'needs root',
  'a container, by the commands of its page',
  () => {
    let container: DocumentedContainer;
    let engine: ContainerEngine;
    let ports: Record<string, string>;
    const last: { terminal?: MqttTerminal } = {};

    beforeAll(async () => {
      container = new DocumentedContainer(version, newer);
      engine = container.engine;
      const binaries = join(engine.folder, 'binary');
      mkdirSync(binaries);
      const name = `gatehouse-linux-${process.arch}`;
      copyFileSync(process.env.GATEHOUSE_BINARY!, join(binaries, name));
      const keys = join(engine.folder, 'keys');
      execFileSync(join(root, 'bin/node'), [join(root, 'scripts/update-keys.ts'), keys]);
      for (const made of [version, newer]) {
        const release = releaseOf(made);
        await buildOci({ wanted: [here], binaries, into: join(engine.folder, 'oci'), version: made });
        mkdirSync(release, { recursive: true });
        renameSync(join(engine.folder, 'oci', imageOf(made)), join(release, imageOf(made)));
        writeFileSync(join(release, `gatehouse_${made}_${here}.deb`), 'not downloaded');
        await writeChecksums(release);
        await signList(signingKeys({ keys }), release);
      }
      const listener = '127.0.0.1:0';
      container.listen({ MQTTS: listener, HTTPS: listener, HTTP: listener, METRICS: listener });
      writeFileSync(join(engine.folder, 'site.yaml'), siteOf(productKey));
    });
    afterAll(() => container?.[Symbol.dispose]());

    const imageOf = (made: string) => `gatehouse-${made}.oci.tar`;
    const releaseOf = (made: string) => join(engine.folder, 'releases', made);
    /** Takes the image of a release, and what verifies it, to where the commands are run. */
    const download = (made: string) => {
      for (const name of ['SHA256SUMS', 'SHA256SUMS.sig', 'keyring.pem', imageOf(made)])
        copyFileSync(join(releaseOf(made), name), join(engine.folder, name));
    };
    const { fingerprint, verify } = documentedCommands();
    /** Verifies what was downloaded, with openssl alone. */
    const verified = async () => {
      const { status, stdout, stderr } = await engine.sh(`${fingerprint}${verify}`);
      return { status, said: `${stdout}${stderr}` };
    };

    const ready = async (starts: number) => {
      ports = await container.ready(starts);
    };

    /** Sends a punch as a terminal would, and waits for its acknowledgement. */
    async function acknowledged(volume: string): Promise<void> {
      const at = await container.folderOf(volume);
      const terminal = new MqttTerminal({ deviceId: 'FACE-T1_A0001', key: productKey }, `mqtts://${ports.mqtts}`, {
        ca: readFileSync(join(at, 'tls/ca.pem')),
      });
      if (last.terminal) terminal.goOnAfter(last.terminal);
      await terminal.say('device');
      last.terminal = terminal;
      await terminal.end();
    }

    const people = async () => {
      const rows = await engine.done('docker exec gatehouse gatehouse export --what checkins --format ndjson');
      return rows
        .trim()
        .split('\n')
        .map(row => JSON.parse(row).ext_id);
    };
    const health = () => engine.sh('docker exec gatehouse gatehouse status --check');

    test('comes with a list that openssl alone verifies, which finds a changed image', async () => {
      download(version);
      const found = await verified();
      expect(found).toMatchObject({ status: 0, said: expect.stringMatching(/^sha256 Fingerprint=/im) });
      expect(found.said).toMatch(/^CMS Verification successful$/m);
      expect(found.said).toContain(`\n${imageOf(version)}: OK\n`);
      appendFileSync(join(engine.folder, imageOf(version)), '!');
      expect(await verified()).toMatchObject({
        status: 1,
        said: expect.stringContaining(`${imageOf(version)}: FAILED`),
      });
      download(version);
    });

    test('is loaded and starts on a root that is read-only, as a user without capabilities', async () => {
      await container.run('load');
      await container.run('start');
      await ready(1);
      const pid = await container.pid();
      const state = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(state).toMatch(/^Uid:\t10001\t/m);
      expect(state).toMatch(/^CapBnd:\t0{16}$/m);
      expect(state).toMatch(/^NoNewPrivs:\t1$/m);
      expect(readFileSync(`/proc/${pid}/mountinfo`, 'utf8')).toMatch(/ \/ \/ ro[, ]/);
    });

    test('is administered from inside, and its doctor finds nothing wrong', async () => {
      const said = await container.run('look');
      expect(said).toContain('nothing is wrong');
      expect(said).toMatch(/^ok +container +the box runs in a container/m);
      expect(said).toMatch(/^ok +disk +a small write is on disk after [\d.]+ ms$/m);
      const update = await engine.sh('docker exec gatehouse gatehouse update /backup/bundle.raucb --yes');
      expect(update.stderr).toMatch(/^gatehouse: a container is updated by its image/);
      expect(await health()).toMatchObject({ status: 0, stdout: 'well\n' });
    });

    test('keeps an acknowledged punch through kill -9, and is started again by the engine', async () => {
      await acknowledged('gatehouse');
      process.kill(await container.pid(), 'SIGKILL');
      await ready(2);
      expect(await people()).toEqual(['p1']);
    });

    test('ends by SIGTERM in order, and goes on where it was', async () => {
      await acknowledged('gatehouse');
      await engine.done('docker stop --time 10 gatehouse');
      // 137 would be a kill after the time was over.
      expect((await engine.done("podman inspect --format '{{.State.ExitCode}}' gatehouse")).trim()).toBe('0');
      expect((await health()).status).not.toBe(0);
      await engine.done('docker start gatehouse');
      await ready(3);
      expect(await people()).toEqual(['p1', 'p2']);
    });

    test('is backed up and restored into a new volume', async () => {
      await container.run('backup');
      await acknowledged('gatehouse');
      await container.run('restore');
      await ready(1);
      expect(await people()).toEqual(['p1', 'p2']);
      await acknowledged('gatehouse-2');
    });

    test('is updated by a newer image on the same volume, and goes back to the older one with all of it', async () => {
      download(newer);
      expect(await verified()).toMatchObject({ status: 0, said: expect.stringContaining(`${imageOf(newer)}: OK`) });
      await container.run('update');
      await ready(1);
      expect(await people()).toHaveLength(3);
      await acknowledged('gatehouse-2');
      await container.back();
      await ready(1);
      expect(await people()).toHaveLength(4);
    });

    test('refuses a data directory in memory, in the container itself, or of another user', async () => {
      const refused = (options: string) =>
        engine.sh(`docker run --rm --network none ${options} localhost/gatehouse:${version}`);
      expect((await refused('--user 0:0 --read-only --tmpfs /data')).stderr).toMatch(
        /^gatehouse: \/data is in memory \(tmpfs\): .*: keep data_dir on a disk/m,
      );
      expect((await refused('--env GATEHOUSE_DATA_DIR=/tmp/data')).stderr).toMatch(
        /^gatehouse: \/tmp\/data belongs to the container: .*: start it with a volume there/m,
      );
      await engine.done('mkdir --mode 700 shut');
      expect((await refused('--volume "$PWD/shut:/data"')).stderr).toMatch(
        /^gatehouse: \/data: cannot be written \(EACCES\): make it writable for this user \(uid 10001\)/m,
      );
    });

    test('the Compose file of the page says the same as the command', () => {
      const [, text] = /^```yaml\n(.*?)^```$/ms.exec(containerPage)!;
      expect(parse(text!).services.gatehouse).toMatchObject({
        image: 'localhost/gatehouse:1.0.0',
        ...{ network_mode: 'host', read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
        volumes: ['gatehouse:/data', './backup:/backup'],
      });
    });

    test('an engine that reads only the form of Docker finds an image with its health check', async () => {
      const source = `docker-archive:gatehouse-${version}.oci.tar:localhost/gatehouse:${version}-${here}`;
      const said = JSON.parse(await engine.done(`skopeo inspect --config --raw ${source}`));
      expect(said.config.Healthcheck.Test).toEqual(['CMD', '/usr/bin/gatehouse', 'status', '--check']);
    });
  },
);
