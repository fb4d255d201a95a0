import { useSignal } from '@preact/signals';
import type { RequestReport } from '../../../../src/admin/ui/integrations.ts';
import { useEvery } from '../../parts/every.ts';
import { now } from '../../parts/now.ts';
import { ago, moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { mistakeWords, refusedCallWords } from './mistake-words.ts';
import { SignedStrings } from './signed-strings.tsx';
import { integrationWords } from './words.ts';

const lookEveryMs = 5000;
const rejectedShown = 20;

/** Requests of the signed APIs: why some were rejected, and those of the last hour. */
export function Requests({
  requests,
  ofProcess,
  only,
  reload,
}: {
  requests: readonly RequestReport[];
  /** In a region: of the process that answers. */
  ofProcess: boolean;
  /** The caller of whom alone they are shown. */
  only: string | undefined;
  reload: () => void;
}) {
  useEvery(lookEveryMs, reload);
  const areAllShown = useSignal(false);
  const said = integrationWords.value;
  const shown = only === undefined ? requests : requests.filter(({ caller }) => caller === only);
  const rejected = shown.filter(isRejected);
  const accepted = shown.filter(({ why }) => why === null);
  const listed = areAllShown.value ? rejected : rejected.slice(0, rejectedShown);
  return (
    <>
      {only !== undefined && (
        <p>
          {said.onlyCaller(only || refusedCallWords.value.nobody)}{' '}
          <a href="/integrations?tab=requests">{said.allCallers}</a>
        </p>
      )}
      {ofProcess && <p class="quiet">{said.ofProcess}</p>}
      <section aria-labelledby="rejected-requests">
        <h2 id="rejected-requests">{said.rejectedTitle}</h2>
        {rejected.length === 0 && <p class="quiet">{said.noRefused}</p>}
        {listed.map(call => (
          <Rejected
            key={`${call.kind} ${call.caller} ${call.address} ${call.path} ${call.command} ${keyOf(call.why)}`}
            call={call}
          />
        ))}
        {listed.length < rejected.length && (
          <p>
            <button
              type="button"
              class="act"
              onClick={() => {
                areAllShown.value = true;
              }}
            >
              {said.showRejected(rejected.length)}
            </button>
          </p>
        )}
      </section>
      <section aria-labelledby="accepted-requests">
        <h2 id="accepted-requests">{said.acceptedTitle}</h2>
        <Table
          caption={said.acceptedTitle}
          rows={accepted}
          rowKey={row => `${row.kind} ${row.caller} ${row.address} ${row.method} ${row.path} ${row.command}`}
          empty={said.noAccepted}
          columns={[
            { key: 'at', title: said.lastAt, cell: row => <When call={row} /> },
            { key: 'caller', title: said.caller, cell: row => <span class="mono">{row.caller}</span> },
            { key: 'call', title: said.call, cell: row => <span class="mono">{lineOf(row)}</span> },
            { key: 'status', title: said.statusCode, cell: row => statusOf(row) },
            { key: 'ms', title: said.took, cell: row => tookOf(row) },
            { key: 'from', title: said.from, cell: row => <span class="mono">{row.address}</span> },
            { key: 'count', title: said.count, cell: row => said.timesSince(row.count, moment(row.since)) },
          ]}
        />
      </section>
    </>
  );
}

type RejectedRequest = RequestReport & { readonly why: NonNullable<RequestReport['why']> };
const isRejected = (call: RequestReport): call is RejectedRequest => call.why !== null;
const keyOf = ({ mistake, named, message }: RejectedRequest['why']): string => `${mistake} ${named} ${message}`;

const lineOf = ({ method, path, command }: RequestReport): string =>
  `${method} ${path}${command === '' ? '' : ` ${command}`}`;
const statusOf = ({ status, code }: RequestReport): string => `${status}, code ${code}`;

function tookOf({ ms, ms_max }: RequestReport): string {
  const said = integrationWords.value;
  const [last, longest] = [Math.ceil(ms), Math.ceil(ms_max)];
  return longest > last ? said.msMax(last, longest) : said.ms(last);
}

const When = ({ call }: { call: RequestReport }) => (
  <time dateTime={new Date(call.at).toISOString()} title={moment(call.at)}>
    {ago(call.at, now.value)}
  </time>
);

function Rejected({ call }: { call: RejectedRequest }) {
  const said = integrationWords.value;
  const { why, caller, kind } = call;
  const title = mistakeWords(why);
  return (
    <article class="refused-call">
      <p>
        <b>{title}</b>
        {said.detailed.includes(why.mistake) && why.message !== '' && why.message !== title && (
          <>
            {' '}
            <span class="mono">{why.message}</span>
          </>
        )}
      </p>
      <p class="request-line">
        <When call={call} /> · <span class="mono">{caller || refusedCallWords.value.nobody}</span> · {said.kinds[kind]}{' '}
        · <span class="mono">{lineOf(call)}</span> · {statusOf(call)} · {tookOf(call)}
        <br />
        <span class="quiet">
          {said.from} <span class="mono">{call.address}</span> · {said.timesSince(call.count, moment(call.since))}
        </span>
      </p>
      {call.parts.length > 0 && <SignedStrings parts={call.parts} why={why} />}
    </article>
  );
}
