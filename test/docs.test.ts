import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BoxProcess } from './support/program.ts';
import { shell } from './support/shell.ts';
import { hasTool, suiteWhere } from './support/tools.ts';

/**
 * The commands in the documents are run as they stand there; only the ports are those that were
 * free.
 */

const root = fileURLToPath(new URL('..', import.meta.url));

const shellBlocks = async (file: string): Promise<string[]> =>
  [...(await readFile(join(root, file), 'utf8')).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(match => match[1]!);

const site = {
  products: [
    { product_id: 'FACE-T1', product_key: 'change-me-please', name: 'Face terminal', model: 'FT1', access: 'both' },
  ],
};

suiteWhere(
  ['mosquitto_pub', 'mosquitto_sub', 'curl'].every(hasTool),
  'needs mosquitto_pub and curl: apt-get install mosquitto-clients curl',
  'commands in the documents',
  () => {
    test("those of the device developer's guide", async () => {
      await using box = await BoxProcess.start({}, site);
      await box.ask('trust', 'export', '--edition', 'slim', '--out', join(box.folder, 'trust.pem'));
      const script = (await shellBlocks('docs/devices.md'))
        .join('\n')
        .replaceAll('8883', String(box.port('mqtts')))
        .replaceAll('8443', String(box.port('https')));
      const { status, said } = await shell(script, box.folder);
      expect(status, said).toBe(0);
      expect(said).toContain('"action":1002');
      expect(await box.export('checkins')).toHaveLength(1);
      expect(await box.export('logs')).toHaveLength(2);
    });

    test('those of the first punch', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-first-punch-'));
      await symlink(join(root, 'bin'), join(folder, 'bin'));
      const blocks = await shellBlocks('docs/first-punch.md');
      const serve = blocks.findIndex(block => block.includes('gatehouse serve'));
      const [making, serving] = blocks[serve]!.split(/(?=^bin\/gatehouse serve)/m) as [string, string];
      expect((await shell(making, folder)).status).toBe(0);
      const box = spawn('sh', ['-c', `exec ${serving}`], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: {
          ...process.env,
          GATEHOUSE_LISTEN__MQTTS: '127.0.0.1:0',
          GATEHOUSE_LISTEN__HTTPS: '127.0.0.1:0',
          GATEHOUSE_LISTEN__HTTP: 'off',
          GATEHOUSE_LISTEN__METRICS: 'off',
        },
      });
      try {
        let said = '';
        const ready = await new Promise<Record<string, string>>((resolve, reject) => {
          box.stderr.setEncoding('utf8').on('data', text => {
            said += text;
            const line = /^ready (\{.*\})$/m.exec(said);
            if (line) resolve(JSON.parse(line[1]!));
          });
          box.on('exit', () => reject(new Error(said)));
        });
        const rest = blocks
          .slice(serve + 1)
          .join('\n')
          .replaceAll('8883', /\d+$/.exec(ready.mqtts!)![0])
          .replaceAll('../gatehouse-', './gatehouse-');
        const outcome = await shell(rest, folder);
        expect(outcome.status, outcome.said).toBe(0);
        expect(outcome.said).toMatch(/^1001,Li Mei,.*,e1,.*,FACE-T1_A0001,device,,,$/m);
        expect(outcome.said).toContain('FACE-T1_A0001-FACE-T1-');
      } finally {
        box.removeAllListeners('exit');
        box.kill('SIGKILL');
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    });
  },
);
