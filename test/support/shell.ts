import { spawn } from 'node:child_process';

/**
 * Runs a script that stops at the first failing command; returns its exit status and its output of
 * both streams.
 */
export const shell = (script: string, cwd: string, environment: NodeJS.ProcessEnv = {}) =>
  new Promise<{ status: number | null; said: string }>(resolve => {
    const child = spawn('sh', ['-eu'], {
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text));
    child.on('close', status => resolve({ status, said }));
    child.stdin.end(script);
  });
