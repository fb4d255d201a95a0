import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { notifySystemd } from '../../src/cli/notify.ts';
import { suiteNeeding } from '../support/tools.ts';

suiteNeeding('python3', 'python3', 'systemd is told', () => {
  test.each(['path', 'abstract'])('READY=1 over a %s socket', async kind => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-notify-'));
    const socket = kind === 'path' ? join(folder, 'notify') : `@gatehouse-test-${process.pid}`;
    const listen = `import socket,sys
s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM); s.settimeout(10)
s.bind(sys.argv[1].replace('@','\\0',1) if sys.argv[1].startswith('@') else sys.argv[1])
print('bound',flush=True); print(s.recv(100).decode(),flush=True)`;
    const receiver = spawn('python3', ['-c', listen, socket]);
    let heard = '';
    receiver.stdout.on('data', text => {
      heard += text;
    });
    await once(receiver.stdout, 'data');
    // Without systemd's own helper: it would be another process, of which systemd takes no word by default.
    await notifySystemd('READY=1', { NOTIFY_SOCKET: socket, PATH: '/nowhere' });
    await once(receiver, 'exit');
    rmSync(folder, { recursive: true, force: true });
    expect(heard).toBe('bound\nREADY=1\n');
  });

  test('nobody is told where there is no notify socket', async () => {
    await expect(notifySystemd('READY=1', {})).resolves.toBeUndefined();
  });
});
