import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

export function hasTool(tool: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders.some(folder => {
    try {
      accessSync(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether the Python of the system has a module. */
export function hasPythonModule(name: string): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', `import ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * A suite that needs a tool of the machine. Without it the suite is skipped under a name with the
 * command that installs it; where nothing may be skipped (`.ci/run`) it fails instead.
 */
export function suiteNeeding(tool: string, debianPackage: string, name: string, body: () => void): void {
  suiteWhere(hasTool(tool), `needs ${tool}: apt-get install ${debianPackage}`, name, body);
}

export function suiteWhere(possible: boolean, otherwise: string, name: string, body: () => void): void {
  if (possible || process.env.GATEHOUSE_TEST_SKIP === 'nothing') describe(name, body);
  else describe.skip(`${name} (${otherwise})`, body);
}
