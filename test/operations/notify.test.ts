import { expect, test } from 'vitest';
import { systemdOf } from '../../src/operations/index.ts';
import { NotifySocket } from '../support/notify-socket.ts';
import { suiteNeeding } from '../support/tools.ts';

suiteNeeding('python3', 'python3', 'notifying systemd', () => {
  // By the program itself: systemd heeds its main process alone, and its helper says BARRIER=1 too.
  test.each(['path', 'abstract'] as const)('READY=1 over a %s socket', async kind => {
    await using socket = await NotifySocket.open(kind);
    await systemdOf({ NOTIFY_SOCKET: socket.address })('READY=1');
    await systemdOf({ NOTIFY_SOCKET: socket.address })('STOPPING=1');
    await socket.message(state => state === 'STOPPING=1');
    expect(socket.heard).toEqual(['READY=1', 'STOPPING=1']);
  });

  test('nothing is sent where there is no notify socket', async () => {
    await expect(systemdOf({})('READY=1')).resolves.toBeUndefined();
  });
});
