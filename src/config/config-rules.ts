import { codeIn } from '../platform/actions.ts';
import { exampleKeys } from '../platform/example-keys.ts';
import { parseAddress } from '../runtime/address.ts';
import { configKeys } from './keys.ts';
import type { Config } from './schema.ts';
import { hasLine, plainUpstreams, readableUpstreams } from './upstream-addresses.ts';
import { take } from './values.ts';

interface BrokenRule {
  readonly path: readonly string[];
  readonly reason: string;
  /** The same complaint at the other of the two keys, in case only that one is written. */
  readonly or?: { readonly path: readonly string[]; readonly reason: string };
}

/** The rules between keys (CONTRACT 6). */
export function brokenRules(config: Config): BrokenRule[] {
  return [
    ...pairwise(
      'listen',
      Object.entries(config.listen).filter(([, text]) => parseAddress(text)?.port),
      {
        same: other => `the same address as listen.${other}: give each its own port`,
      },
    ),
    ...tlsRules(config),
    ...legacyRules(config),
    ...upstreamRules(config),
    ...backupRules(config),
    ...storeRules(config),
    ...pairwise(
      'actions',
      Object.entries(config.actions).flatMap(([name, setting]) => {
        const code = codeIn(setting);
        return code === null ? [] : [[name, code] as const];
      }),
      { same: other => `the code of ${other} already: each action needs its own` },
    ),
    ...actionRules(config),
    ...exampleKeyRules(config),
  ];
}

function* exampleKeyRules(config: Config): Generator<BrokenRule> {
  if (config.environment !== 'production') return;
  for (const { path, meta } of configKeys) {
    const value = meta.secret ? take(config, path) : undefined;
    if (typeof value === 'string' && exampleKeys.has(value))
      yield {
        path,
        reason: 'an example key of the demo or the manual, which environment production refuses: make one of your own',
      };
  }
}

const databaseKeys = ['url', 'owner_url'] as const;

/** Functions that a region does not have (docs/region.md). */
function* storeRules({ store, upstream }: Config): Generator<BrokenRule> {
  if (store.engine === 'sqlite') {
    for (const key of databaseKeys)
      if (store[key] !== undefined)
        yield {
          path: ['store', key],
          reason: 'is for engine postgres alone: write store.engine: postgres, or remove it',
        };
    if (store.files !== undefined)
      yield {
        path: ['store', 'files'],
        reason: 'is for engine postgres alone, whose processes share it: remove it, or write store.engine: postgres',
      };
    return;
  }
  if (store.url === undefined)
    yield {
      path: ['store', 'url'],
      reason: 'missing: with engine postgres write file: and the path of a file with it',
    };
  for (const key of databaseKeys)
    if (store[key] !== undefined && !/^postgres(ql)?:\/\//.test(store[key]))
      yield {
        path: ['store', key],
        reason: 'not an address of PostgreSQL: write postgresql://USER:PASSWORD@HOST:PORT/DATABASE',
      };
  for (const name of ['attendance', 'oauth', 'psp'] as const)
    if (upstream?.[name])
      yield { path: ['upstream', name], reason: 'a region forwards records alone: remove it, or use engine sqlite' };
}

/** Sections in which no two keys may have the same value. */
function* pairwise(
  section: string,
  values: readonly (readonly [string, string | number])[],
  { same }: { same: (other: string) => string },
): Generator<BrokenRule> {
  const taken = new Map<string | number, string>();
  for (const [name, value] of values) {
    const other = taken.get(value);
    if (other !== undefined)
      yield {
        path: [section, name],
        reason: same(other),
        or: { path: [section, other], reason: same(name) },
      };
    taken.set(value, name);
  }
}

function* actionRules(config: Config): Generator<BrokenRule> {
  const { actions, features } = config;
  for (const [name, setting] of Object.entries(actions)) {
    if (typeof setting !== 'object' || setting.answered_by === 'box') continue;
    if (name === 'person_sync')
      yield { path: ['actions', name], reason: 'goes from the box to devices, which answer it: leave out answered_by' };
    else if (!hasLine(config))
      yield {
        path: ['actions', name],
        reason:
          'answered_by: cloud, and there is none: write upstream.device_mqtt or device_http, or leave it to the box',
      };
  }
  if (features.upstream !== 'off') return;
  for (const name of ['feature_report', 'access_report', 'person_sync'] as const)
    if (actions[name] === 'off')
      yield {
        path: ['actions', name],
        reason:
          'off, so that its messages would go to the cloud unread, with the features that features.upstream: off keeps here: name its code',
      };
}

/** The three keys of the legacy gateway host stand together. */
function* legacyRules({ tls }: Config): Generator<BrokenRule> {
  const keys = ['legacy_host', 'legacy_cert', 'legacy_key'] as const;
  const there = keys.find(key => tls?.[key] !== undefined);
  if (!there) return;
  for (const key of keys)
    if (tls![key] === undefined)
      yield {
        path: ['tls', key],
        reason: `missing: tls.${there} is there, and needs it: write ${key === 'legacy_host' ? 'the host name' : 'the path of its PEM file'}`,
      };
}

function* tlsRules({ tls: own }: Config): Generator<BrokenRule> {
  if (!own || (own.cert === undefined) === (own.key === undefined)) return;
  const missing = own.cert === undefined ? 'cert' : 'key';
  const there = missing === 'cert' ? 'key' : 'cert';
  yield {
    path: ['tls', missing],
    reason: `missing: tls.${there} is there, and each needs the other: write the path of its PEM file`,
  };
}

function* backupRules({ backups, upstream: line }: Config): Generator<BrokenRule> {
  if (backups.above !== undefined && line?.mode !== 'batch')
    yield {
      path: ['backups', 'above'],
      reason: 'there is no box above: backups go there over upstream, in mode batch',
    };
}

function* upstreamRules({ upstream: line, environment, box: own }: Config): Generator<BrokenRule> {
  if (!line) return;
  const isProduction = environment === 'production';
  const refused = isProduction ? plainUpstreams(line) : line.insecure === 'yes' ? [] : readableUpstreams(line);
  for (const { path, url } of refused) {
    const scheme = /^http:/i.test(url) ? 'https' : 'mqtts';
    yield {
      path,
      reason: isProduction
        ? `not encrypted, which environment production refuses: write ${scheme}://`
        : `not encrypted: write ${scheme}://, or upstream.insecure: yes where the network between is to be trusted`,
    };
  }
  if (line.mode === 'batch' && line.device_http === undefined)
    yield {
      path: ['upstream', 'device_http'],
      reason: 'missing: mode batch sends over HTTP: write https:// and the host',
    };
  if (line.mode === 'gateway' && line.device_http === undefined && line.device_mqtt === undefined)
    yield { path: ['upstream', 'device_mqtt'], reason: 'missing: mode gateway needs device_mqtt or device_http' };
  if (line.mode !== 'per-device' && own.access_key === undefined)
    yield {
      path: ['box', 'access_key'],
      reason: `missing: in upstream mode ${line.mode} the box logs in as itself: write file: and the path of its key`,
    };
}
