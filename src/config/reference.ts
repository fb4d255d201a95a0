import { type ConfigKey, configKeys } from './keys.ts';
import { pageKeys } from './page-settings.ts';

/**
 * Makes docs/config.md: every key with its purpose, its values and its default. A test keeps the
 * file up to date.
 */
export function configReference(): string {
  const lines = [
    '# The config file, key by key',
    '',
    'Made from `src/config/schema.ts` by `bin/node scripts/config-reference.ts`. Every key is optional. YAML (JSON is YAML); unknown keys and wrong values are refused',
    'by name, with line and column, before any socket opens (`gatehouse check-config FILE`). `gatehouse check-config --effective FILE` shows the values in force and where each comes from.',
    '',
    '- A variable `GATEHOUSE_` + the key in upper case with `__` between levels overrides a key: `GATEHOUSE_LISTEN__MQTTS=127.0.0.1:8883`. An empty variable counts as not set.',
    '- A value `file:PATH` is read from that file (without a final line end): for secrets and systemd credentials. Paths are relative to the file that contains them,',
    '  those in variables to the working directory.',
    '- A file `identity.yaml` beside the config file gives values that the config file may override: those on the label of a flashed box (docs/appliance.md).',
    '  It may contain data_dir, box.product_id, box.device_sn, box.access_key, box.product_key, box.setup_code and provisioning.hotspot_key, and no other key.',
    `- These keys can be set on pages (System, Network; Integrations, Event subscribers), where neither file nor environment says them (docs/operating/start.md): ${pageKeys.join(', ')}.`,
    '',
  ];
  for (const section of [undefined, ...configKeys.filter(key => key.section)]) {
    const keys = configKeys.filter(
      key => !key.section && key.path.slice(0, -1).join('.') === (section?.path.join('.') ?? ''),
    );
    if (section) lines.push(`## ${section.path.join('.')}`, '', `${section.meta.description ?? ''}.`, '');
    if (keys.length > 0) lines.push('| key | write | default | |', '|---|---|---|---|', ...keys.map(row), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function row({ path, kind, byDefault, meta }: ConfigKey): string {
  const written = byDefault === undefined ? '' : Array.isArray(byDefault) ? 'none' : `\`${String(byDefault)}\``;
  const secret = meta.secret ? ' A secret: use `file:`.' : '';
  return `| \`${path.join('.')}\` | ${kind.replaceAll('|', '\\|')} | ${written} | ${meta.description ?? ''}.${secret} |`;
}
