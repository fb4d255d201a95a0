import { stringify } from 'yaml';
import { identityKeys } from './identity-file.ts';
import { loadConfig } from './load.ts';

/** An identity by key, such as `box.device_sn`. */
export type Identity = Readonly<Record<string, string>>;

/** Contents of an identity file alone. Throws `FileRefused` like `loadConfig`. */
export function readIdentity(file: string, cwd: string): Identity {
  const { config, origin } = loadConfig({ identity: file, env: {}, cwd });
  const said = identityKeys.flatMap(path => {
    const value = path.reduce<unknown>((map, step) => (map as Record<string, unknown> | undefined)?.[step], config);
    return typeof value === 'string' && origin(path) !== 'default' ? [[path.join('.'), value]] : [];
  });
  return Object.fromEntries(said);
}

/**
 * Writes the file that `readIdentity` reads. Secrets are written as values, so keep the file
 * private.
 */
export function writeIdentity(identity: Identity): string {
  const values: Record<string, unknown> = {};
  for (const [section, ...rest] of identityKeys) {
    const value = identity[[section, ...rest].join('.')];
    if (value === undefined || section === undefined) continue;
    if (rest[0] === undefined) values[section] = value;
    else values[section] = { ...(values[section] as object | undefined), [rest[0]]: value };
  }
  return `# Who this box is: what stands on its label. It outlives its settings (\`gatehouse reset --all\`), and holds secrets.\n${stringify(values, { lineWidth: 0 })}`;
}
