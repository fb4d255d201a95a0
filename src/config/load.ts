import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { didYouMean } from '../runtime/did-you-mean.ts';
import { defaultDataDir, resolvePath } from '../runtime/resolve-path.ts';
import { certificateTrouble, legacyTrouble, ownCertificate, rootsTrouble } from './certificate.ts';
import { type Complaint, FileRefused, type PathStep, pathText } from './complaint.ts';
import { brokenRules } from './config-rules.ts';
import { type BadOverride, type Override, overriddenBy, overrides } from './environment.ts';
import { readValue, readValuesOfList } from './files.ts';
import { disallowedKeys, identityFileName } from './identity-file.ts';
import { type ConfigKey, configKey, configKeys } from './keys.ts';
import { type Config, configSchema } from './schema.ts';
import { layLocaleUnder } from './site-locale.ts';
import { isMap, put, take, type Values } from './values.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

interface ConfigSources {
  /** The config file; absent: only defaults and the environment. */
  readonly file?: string;
  /** The identity file; absent: `identity.yaml` beside the config file, where there is one. */
  readonly identity?: string;
  /** `--data-dir`, which overrides everything else. */
  readonly dataDir?: string;
  readonly env: NodeJS.ProcessEnv;
  /** Base of relative paths that do not come from a file. */
  readonly cwd: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /**
   * Where the value of a key comes from: `gatehouse.yaml:12:5`, `GATEHOUSE_LISTEN__MQTTS`,
   * `--data-dir`, `default`.
   */
  readonly origin: (path: readonly string[]) => string;
  /** The files that values name. */
  readonly files: readonly NamedFile[];
  /** The file that holds the value of a key such as `tls.cert`; none: its value is written out. */
  readonly fileOf: ReadonlyMap<string, string>;
}

/** A file that a value names: how it is written, and where. */
export interface NamedFile {
  readonly written: string;
  readonly file: string;
}

/**
 * Loads the config: defaults, the box's identity, the config file, the environment, in this order,
 * then the files that values name. Checks everything before anything is opened. Throws
 * `FileRefused` with all problems, not only the first.
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const source = sources.file === undefined ? null : readYaml(sources.file, sources.cwd);
  const identity = identitySource(sources);
  const values = withoutEmptySections(structuredClone(source?.values() ?? {}));
  const environment = overrides(sources.env);
  const loading = new Loading(sources, source, identity, environment.overrides);
  loading.layIdentityUnder(values);
  for (const bad of environment.bad) loading.refuseVariable(bad);
  for (const { path, value } of environment.overrides) put(values, path, value);
  if (sources.dataDir !== undefined) put(values, ['data_dir'], sources.dataDir);

  values.data_dir ??= resolve(sources.cwd, defaultDataDir);
  layLocaleUnder(values, sources);
  const files = loading.readFiles(values);
  const config = loading.check(values);
  if (config) loading.checkMeaning(config, files);
  if (loading.complaints.length > 0 || !config) throw new FileRefused(loading.complaints);
  return { config, origin: path => loading.origin(path), files: loading.named, fileOf: files };
}

/** The results of loading one config. */
class Loading {
  readonly complaints: Complaint[] = [];
  readonly #sources: ConfigSources;
  readonly #source: YamlSource | null;
  readonly #identity: YamlSource | null;
  readonly #overrides: readonly Override[];
  readonly named: NamedFile[] = [];

  constructor(
    sources: ConfigSources,
    source: YamlSource | null,
    identity: YamlSource | null,
    found: readonly Override[],
  ) {
    this.#sources = sources;
    this.#source = source;
    this.#identity = identity;
    this.#overrides = found;
  }

  refuseVariable({ variable, reason }: BadOverride): void {
    this.complaints.push({ where: variable, line: 0, column: 0, path: '', reason });
  }

  origin(path: readonly string[]): string {
    const elsewhere = this.#elsewhere(path);
    if (elsewhere) return elsewhere;
    const source = this.#sourceOf(path);
    return source?.has(path) ? source.complaint(path, '').where : 'default';
  }

  /** Takes what the config file does not say about the box from its identity file. */
  layIdentityUnder(values: Values): void {
    const identity = this.#identity;
    if (!identity) return;
    const own = identity.values() ?? {};
    for (const { path, reason } of disallowedKeys(own))
      this.complaints.push(identity.complaint(path, reason, { at: 'key' }));
    for (const { path, section } of configKeys) {
      const value = section ? undefined : take(own, path);
      if (value !== undefined && take(values, path) === undefined) put(values, path, value);
    }
  }

  #sourceOf(path: readonly PathStep[]): YamlSource | null {
    const here = this.#source?.has(path) || !this.#identity?.has(path);
    return here ? this.#source : this.#identity;
  }

  #elsewhere(path: readonly PathStep[]): string | undefined {
    if (path[0] === 'data_dir' && this.#sources.dataDir !== undefined) return '--data-dir';
    return overriddenBy(this.#overrides, path);
  }

  refuse(path: readonly PathStep[], reason: string, value?: unknown, at: 'value' | 'key' = 'value'): void {
    const elsewhere = this.#elsewhere(path);
    const source = this.#sourceOf(path);
    const shown = shownValue(path, value, source?.written(path));
    const more = shown === undefined ? {} : { value: shown };
    if (elsewhere) this.complaints.push({ where: elsewhere, line: 0, column: 0, path: '', reason, ...more });
    else if (source) this.complaints.push(source.complaint(path, reason, { ...more, at }));
    else this.complaints.push({ where: 'config', line: 0, column: 0, path: pathText(path), reason, ...more });
  }

  /**
   * Replaces `file:PATH` by the file's content and makes paths absolute. Returns where each text
   * came from.
   */
  readFiles(values: Values): Map<string, string> {
    const files = new Map<string, string>();
    for (const { path, meta, section } of configKeys) {
      const written = take(values, path);
      const folder = this.#elsewhere(path) ? this.#sources.cwd : this.#folderOf(path);
      if (Array.isArray(written))
        readValuesOfList(written, folder, (at, reason) => this.refuse([...path, ...at], reason));
      if (section || typeof written !== 'string') continue;
      if (meta.file === 'path') {
        if (written !== '') put(values, path, resolvePath(written, folder));
      } else if (meta.file === 'content' || written.startsWith('file:')) {
        if (written === '') continue;
        const file = resolvePath(written, folder);
        const read = readValue(file);
        if (!read.ok) this.refuse(path, read.reason);
        put(values, path, read.ok ? read.value : unread(path));
        if (read.ok) files.set(path.join('.'), file);
        if (read.ok) this.named.push({ written: written.replace(/^file:/, ''), file });
      }
    }
    return files;
  }

  #folderOf(path: readonly string[]): string {
    const { file, cwd } = this.#sources;
    const source = this.#sourceOf(path);
    const name = source === null ? undefined : source === this.#identity ? source.name : file;
    return name === undefined ? cwd : dirname(resolve(cwd, name));
  }

  /**
   * All problems: first by the schema, then by the rules between keys, as far as those can be
   * checked.
   */
  check(values: Values): Config | null {
    const parsed = configSchema.safeParse(values);
    if (!parsed.success) for (const issue of parsed.error.issues) this.#refuseIssue(issue, values);
    const readable = parsed.success ? parsed : configSchema.safeParse(without(values, parsed.error.issues));
    if (!readable.success) return null;
    for (const { path, reason, or } of brokenRules(readable.data)) {
      const one = or && this.origin(path) === 'default' ? or : { path, reason };
      if (!this.complaints.some(complaint => complaint.path === one.path.join('.')))
        this.refuse(one.path, one.reason, take(values, one.path));
    }
    return readable.data;
  }

  #refuseIssue(issue: z.core.$ZodIssue, values: Values): void {
    const path = issue.path as PathStep[];
    if (issue.code === 'unrecognized_keys') {
      const known = knownKeys(path);
      for (const key of issue.keys) {
        const reason = `unknown key${didYouMean(key, known) || `: known here are ${known.join(', ')}`}`;
        this.refuse([...path, key], reason, undefined, 'key');
      }
    } else if (issue.code === 'invalid_type' && (issue.expected === 'object' || issue.expected === 'array')) {
      const known = knownKeys(path);
      const inside = known.length > 0 ? `: write its keys under it, indented: ${known.join(', ')}` : '';
      const what =
        issue.expected === 'array' ? 'not a list: write its entries under it, each after "- "' : `not a map${inside}`;
      this.refuse(path, what, take(values, path));
    } else {
      this.refuse(path, issue.message, take(values, path));
    }
  }

  /** Problems that only the content of the named files shows. */
  checkMeaning(config: Config, files: ReadonlyMap<string, string>): void {
    const { own } = ownCertificate(config);
    if (own && files.has('tls.cert') && files.has('tls.key')) {
      const trouble = certificateTrouble(own.cert, own.key, files);
      if (trouble) this.refuse(['tls', trouble.of], trouble.why.reason);
    }
    const legacy = legacyTrouble(config.tls ?? {}, files);
    if (legacy) this.refuse(['tls', `legacy_${legacy.of}`], legacy.why.reason);
    const rootsFile = files.get('upstream.ca');
    if (config.upstream?.ca !== undefined && rootsFile !== undefined) {
      const trouble = rootsTrouble(config.upstream.ca, rootsFile);
      if (trouble) this.refuse(['upstream', 'ca'], trouble.reason);
    }
  }
}

/** Identity file; null if the box has none, as in a checkout. */
function identitySource({ file, identity, cwd }: ConfigSources): YamlSource | null {
  if (identity !== undefined) return readYaml(identity, cwd);
  if (file === undefined) return null;
  const beside = join(dirname(file), identityFileName);
  return existsSync(resolve(cwd, beside)) ? readYaml(beside, cwd) : null;
}

/** Quotes a value only if it is short and no secret. */
function shownValue(path: readonly PathStep[], value: unknown, written: string | undefined): string | undefined {
  const key = configKey(path.filter(step => typeof step === 'string'));
  if (key?.meta.secret || key?.meta.file === 'content' || key === undefined) return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return written ?? String(value);
  return typeof value === 'string' && value !== '' && !value.startsWith('file:') && !/:\/\/[^/]*@/.test(value)
    ? value.slice(0, 80)
    : undefined;
}

/** `upstream:` with nothing under it is a section whose keys are all commented out. */
function withoutEmptySections(values: Values, above: readonly string[] = []): Values {
  for (const [key, value] of Object.entries(values)) {
    const path = [...above, key];
    if (!configKey(path)?.section) continue;
    if (value === null) delete values[key];
    else if (isMap(value)) withoutEmptySections(value, path);
  }
  return values;
}

const knownKeys = (path: readonly PathStep[]): string[] => {
  const names = path.filter(step => typeof step === 'string');
  if (names.join('.') === 'events.webhooks') return ['name', 'url', 'secret', 'kinds'];
  if (names.join('.') === 'provisioning.simulated_networks') return ['ssid', 'key', 'anthenc', 'quality'];
  return configKeys
    .filter(
      (key: ConfigKey) => key.path.length === names.length + 1 && names.every((name, at) => key.path[at] === name),
    )
    .map(key => key.path.at(-1)!);
};

/**
 * Stands for a file that could not be read, so that the rest can be checked; the file is refused
 * already.
 */
const unread = (path: readonly string[]): string => (path.at(-1)?.endsWith('url') ? 'https://unread' : 'unread');

function without(values: Values, issues: readonly z.core.$ZodIssue[]): Values {
  const rest = structuredClone(values);
  for (const issue of issues) {
    const path = issue.path as PathStep[];
    const wrong = issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...path, key]) : [path];
    for (const one of wrong) {
      const parent = take(rest, one.slice(0, -1));
      if (typeof parent === 'object' && parent !== null) delete (parent as Values)[one.at(-1)!];
    }
  }
  return rest;
}
