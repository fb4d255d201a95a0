import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EventsBox } from '../support/events-box.ts';
import { freePort } from '../support/free-port.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'node_modules/.cache/node-red/node_modules/node-red/red.js');
const installs = 'npm install --prefix node_modules/.cache/node-red --ignore-scripts node-red@5.0.7';

suiteWhere(existsSync(program), `needs Node-RED: ${installs}`, 'the flow for Node-RED', () => {
  test('shows each punch once and in order, also those while its broker was away', async () => {
    await using site = await EventsBox.start();
    const password = await site.token('node-red', 'checkins/#');
    const port = await freePort();
    const folder = join(site.box.folder, 'node-red');
    await mkdir(folder);
    const settings = { uiPort: port, uiHost: '127.0.0.1', credentialSecret: false, telemetry: { enabled: false } };
    await writeFile(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(settings)};`);
    const child = spawn(join(root, 'bin/node'), [program, '--userDir', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text));
    try {
      const url = `http://127.0.0.1:${port}`;
      await until('Node-RED is up', async () => (await fetch(`${url}/flows`)).ok);
      const flow: { type: string }[] = JSON.parse(
        await readFile(join(root, 'docs/integrations/node-red-flow.json'), 'utf8'),
      );
      const credentials = { user: 'node-red', password };
      const own = { port: String(site.box.port('events')), credentials };
      const flows = flow.map(node => (node.type === 'mqtt-broker' ? { ...node, ...own } : node));
      const headers = { 'content-type': 'application/json', 'node-red-deployment-type': 'full' };
      const taken = await fetch(`${url}/flows`, { method: 'POST', headers, body: JSON.stringify(flows) });
      expect(taken.status, await taken.text()).toBe(204);

      const terminal = site.terminal();
      const punches = async () => (await (await fetch(`${url}/punches`)).json()) as { seq: number; name: string }[];
      await until('it hears', async () => {
        await terminal.say('device');
        return (await punches()).length > 0;
      });
      await site.box.kill9();
      await site.box.start();
      for (let sent = 0; sent < 5; sent++) await terminal.say('device');
      await until('it is connected and hears again', async () => {
        await terminal.say('device');
        const [newest] = await punches();
        return newest!.seq === (await site.box.export('checkins')).length;
      });
      const seqs = (await punches()).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, at) => seqs[0]! - at));
      expect(seqs.length).toBeGreaterThan(6);
      expect(said).not.toMatch(/\[error\]/);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });
});
