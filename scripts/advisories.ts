import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const askedMs = 120_000;

export interface Advisory {
  readonly dependency: string;
  readonly severity: string;
  readonly title: string;
  readonly url: string;
}

/** `asked` false: no registry answered, so nothing is known; `why` has the reason. */
export type Advisories =
  | { readonly asked: true; readonly found: readonly Advisory[] }
  | { readonly asked: false; readonly why: string };

/**
 * Parses the output of `npm audit --json`. Anything but a complete report counts as no answer: it
 * must never pass for "none found".
 */
export function readAudit(text: string): Advisories {
  let report: Record<string, unknown>;
  try {
    report = JSON.parse(text);
  } catch {
    return { asked: false, why: text.trim().split('\n')[0] || 'npm audit said nothing' };
  }
  const { auditReportVersion, vulnerabilities, message, error } = report;
  if (auditReportVersion !== 2 || typeof vulnerabilities !== 'object' || vulnerabilities === null) {
    const summary = (error as { summary?: string } | undefined)?.summary;
    return { asked: false, why: String(message || summary || 'npm audit gave no report') };
  }
  const found = Object.values(vulnerabilities as Record<string, { name: string; via: (string | Advisory)[] }>).flatMap(
    ({ via }) =>
      via
        .filter(one => typeof one === 'object')
        .map(({ dependency, severity, title, url }) => ({ dependency, severity, title, url })),
  );
  return { asked: true, found };
}

/** Asks the registry that npm uses about everything that is shipped. */
export function askAdvisories(registry?: string): Promise<Advisories> {
  const more = registry === undefined ? [] : ['--registry', registry];
  return new Promise(resolve =>
    execFile(
      'npm',
      ['audit', '--omit=dev', '--json', '--fetch-retries=0', ...more],
      { cwd: root, timeout: askedMs, maxBuffer: 1 << 26 },
      // Its exit status is the same for "something was found" and "no answer": only the report
      // distinguishes them.
      (_error, stdout) => resolve(readAudit(stdout)),
    ),
  );
}

if (import.meta.main) {
  const answer = await askAdvisories();
  if (!answer.asked) {
    console.log(`NOT ASKED: no source of advisories answers (${answer.why}): nothing is known of the dependencies`);
    process.exitCode = 2;
  } else {
    for (const { dependency, severity, title, url } of answer.found)
      console.log(`${dependency}: ${severity}: ${title} (${url})`);
    console.log(`asked; ${answer.found.length} found`);
    process.exitCode = answer.found.length === 0 ? 0 : 1;
  }
}
