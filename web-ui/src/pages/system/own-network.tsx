import { Fragment } from 'preact';
import { useLoaded } from '../../loaded.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { words } from './network-words.ts';

/** Addresses, router and name servers of the gateway, which its operating system sets. */
export function OwnNetwork() {
  const { loaded, reload } = useLoaded('/network');
  const { data, problem } = loaded.value;
  const said = words.value.own;
  return (
    <section aria-labelledby="own-network">
      <h2 id="own-network">{said.title}</h2>
      {!data && (problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />)}
      {data && (
        <>
          <dl class="facts">
            <dt>{said.hostName}</dt>
            <dd class="mono">{data.host_name}</dd>
            {data.interfaces.map(({ name, addresses }) => (
              <Fragment key={name}>
                <dt>{said.addresses(name)}</dt>
                <dd class="mono">{addresses.join(', ')}</dd>
              </Fragment>
            ))}
            <dt>{said.router}</dt>
            <dd class="mono">{data.router ?? said.none}</dd>
            <dt>{said.nameServers}</dt>
            <dd class="mono">{data.name_servers.join(', ') || said.none}</dd>
          </dl>
          <p class="quiet">{said.setBy}</p>
        </>
      )}
    </section>
  );
}
