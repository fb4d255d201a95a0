import { failed, type PlainFailure, type TargetFailed } from '../target-failed.ts';

/** Complaints of OpenSSH in English, the most specific first. */
const meanings: readonly (readonly [RegExp, PlainFailure])[] = [
  [/REMOTE HOST IDENTIFICATION HAS CHANGED|Host key for .* has changed/, 'host_key_changed'],
  // The server has another type of key than the one that was confirmed.
  [/Host key verification failed|no matching host key type/, 'host_key_changed'],
  [/Could not resolve hostname|getaddrinfo .*: /, 'unknown_host'],
  [/^\S*@[^\s@]+: Permission denied \(|Too many authentication failures/m, 'sftp_login_refused'],
  [/subsystem request failed/, 'no_sftp'],
  [/[Cc]onnect.*: (Connection refused|No route to host|Network is unreachable|Host is down)/, 'unreachable'],
  [/Connection timed out|Operation timed out|not responding/, 'timed_out'],
  [/: Permission denied/, 'not_allowed'],
  [/: Read-only file system/, 'read_only'],
  [/No space left|[Qq]uota exceeded/, 'full'],
  [/No such file|not found|Not a directory/, 'no_folder'],
  [/Connection closed|Connection reset|Broken pipe|Connection to .* closed/, 'interrupted'],
];

/** Meaning of a failed OpenSSH program's complaint. */
export function sshFailed(complaint: string, where: string): TargetFailed {
  for (const [pattern, code] of meanings) {
    const found = pattern.exec(complaint);
    if (found) return failed(code, where, lineAround(complaint, found.index));
  }
  // SFTP has no word for a full disk: "Failure" is all that a server says.
  const said = lineAround(complaint, 0) || 'it ended without a reason';
  return failed('failed', where, said);
}

/** Of a text that a foreign server may have written. */
function lineAround(text: string, index: number): string {
  const from = text.lastIndexOf('\n', index) + 1;
  return text
    .slice(from)
    .split('\n', 1)[0]!
    .slice(0, 1000)
    .replace(/[^\x20-\x7e]|^@+\s*|\s*@+$/g, '')
    .trim()
    .slice(0, 200);
}
