import { lines } from '../../api.ts';
import { may } from '../../session.ts';
import { Checks, useChecks, verdict } from './checks.tsx';
import { CloudConnection } from './cloud-connection.tsx';
import { Head } from './head.tsx';
import { words } from './network-words.ts';

/** Checks the way to the cloud up to the first broken link, and leads to another cloud. */
export default function Network() {
  const { run, start } = useChecks();
  const said = words.value;
  const { state } = run.value;
  return (
    <>
      <Head sentence={verdict(run.value)} />
      {may('admin') ? (
        <p>
          <button
            type="button"
            class="act go"
            onClick={() => start(signal => lines('post', '/doctor', { what: 'network' }, signal))}
            disabled={state === 'running'}
          >
            {state === 'idle' ? said.go : said.again}
          </button>
        </p>
      ) : (
        <p class="quiet">{said.adminOnly}</p>
      )}
      <Checks run={run.value} done={said.done(run.value.checks.length)} />
      {may('admin') && <CloudConnection />}
    </>
  );
}
