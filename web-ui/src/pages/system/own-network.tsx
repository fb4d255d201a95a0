import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { get } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { clock } from '../../parts/numbers.ts';
import { whySaid } from '../../parts/reasons.ts';
import { sayDone } from '../../parts/toast.tsx';
import { boxIsBackWith } from './box-is-back.ts';
import { words as connectionWords } from './cloud-connection-words.ts';
import { EditAddress, EditNames, type Network } from './own-network-dialogs.tsx';
import { words } from './own-network-words.ts';

const lookMs = 3000;

/** Addresses, names and time servers of the gateway, and what of them can be set here. */
export function OwnNetwork() {
  const { loaded, reload } = useLoaded('/network');
  const { data, problem } = loaded.value;
  return (
    <section aria-labelledby="own-network">
      <h2 id="own-network">{words.value.title}</h2>
      {data ? (
        <Facts network={data} reload={reload} />
      ) : problem ? (
        <ProblemNotice problem={problem} again={reload} />
      ) : (
        <Loading />
      )}
    </section>
  );
}

function Facts({ network, reload }: { network: Network; reload: () => void }) {
  const said = words.value;
  const asks = useSignal<'address' | 'names' | null>(null);
  const trial = useSignal(network.trial);
  const close = () => {
    asks.value = null;
  };
  const saved = async (names: Network['names'], restarts: boolean) => {
    close();
    sayDone(restarts ? connectionWords.value.restarting : connectionWords.value.unchanged);
    if (!restarts) return;
    await boxIsBackWith(async () => JSON.stringify((await get('/network')).names) === JSON.stringify(names));
    sayDone(connectionWords.value.saved);
    reload();
  };
  const isTrying = trial.value?.state === 'trying';
  return (
    <>
      {trial.value && <Trial trial={trial.value} ended={reload} />}
      <dl class="facts">
        <dt>{said.hostName}</dt>
        <dd class="mono">{network.host_name}</dd>
        {network.interfaces.map(({ name, addresses }) => (
          <Fragment key={name}>
            <dt>{said.addresses(name)}</dt>
            <dd class="mono">{addresses.join(', ')}</dd>
          </Fragment>
        ))}
        <dt>{said.router}</dt>
        <dd class="mono">{network.router ?? said.none}</dd>
        <dt>{said.nameServers}</dt>
        <dd class="mono">{network.name_servers.join(', ') || said.none}</dd>
        <dt>{said.timeServers}</dt>
        <dd class={network.names.time_servers && 'mono'}>{network.names.time_servers || said.ofSystem}</dd>
      </dl>
      <p class="bar">
        {network.settings && (
          <button
            type="button"
            class="act"
            disabled={isTrying}
            onClick={() => {
              asks.value = 'address';
            }}
          >
            {said.editAddress}
          </button>
        )}
        <button
          type="button"
          class="act"
          onClick={() => {
            asks.value = 'names';
          }}
        >
          {said.editNames}
        </button>
      </p>
      {network.settings_why && (
        <p class="quiet">{said.notSet(whySaid({ why: network.settings_why.reason, ...network.settings_why }))}</p>
      )}
      <p class="quiet">{said.wifi}</p>
      {asks.value === 'address' && network.settings && (
        <EditAddress
          settings={network.settings}
          changed={(address, seconds) => {
            trial.value = { state: 'trying', address, until: Date.now() + seconds * 1000 };
            close();
          }}
          close={close}
        />
      )}
      {asks.value === 'names' && <EditNames network={network} saved={saved} close={close} />}
    </>
  );
}

/** How the last change of the address goes; asks until it is decided, for a gateway that answers. */
function Trial({ trial, ended }: { trial: NonNullable<Network['trial']>; ended: () => void }) {
  const said = words.value;
  const isTrying = trial.state === 'trying';
  useEffect(() => {
    if (!isTrying) return;
    const asking = setInterval(async () => {
      const now = await get('/network').catch(() => null);
      if (now && now.trial?.state !== 'trying') ended();
    }, lookMs);
    return () => clearInterval(asking);
  }, [isTrying]);
  if (trial.state !== 'trying')
    return <p class={trial.state === 'returned' ? 'notice bad' : 'quiet'}>{said[trial.state]}</p>;
  const time = clock(trial.until);
  const address = trial.address && `https://${trial.address}:${location.port || 443}`;
  return (
    <p class="notice" role="status">
      {address ? (
        <>
          {said.tryingAt(time)} <a href={`${address}/system/network`}>{address}</a>
        </>
      ) : (
        said.tryingDhcp(time)
      )}
    </p>
  );
}
