import { useSignal } from '@preact/signals';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { alertWords } from '../../../../src/platform/alert-words.ts';
import { type AlertChannel, alertChannels } from '../../../../src/platform/alerts.ts';
import { get, post } from '../../api.ts';
import { useDoing } from '../../parts/doing.ts';
import { Empty } from '../../parts/empty.tsx';
import { ProblemNotice, Refused } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { alertLanguageOfPage } from '../../parts/open-alerts.tsx';
import { whySaid } from '../../parts/reasons.ts';
import { Table } from '../../parts/table.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { words as shared } from '../../words/index.ts';
import { AddDialog, ChannelDialog, RemoveChannelDialog, type Settings } from './alert-channel-dialogs.tsx';
import { words } from './alerts-words.ts';
import { saidProblem } from './said-problem.ts';

type ChannelRow = AnswerOf<'get', '/alerts'>['channels'][number];
type Open =
  | { readonly what: 'add'; readonly settings: Settings }
  | { readonly what: 'change' | 'remove'; readonly name: AlertChannel; readonly settings: Settings };

export const channelName = (name: AlertChannel): string => alertWords[alertLanguageOfPage()].channels[name];

/** Where alerts are sent, whether they arrive, and a test. */
export function Channels({ channels, reload }: { channels: readonly ChannelRow[]; reload: () => void }) {
  const said = words.value;
  const open = useSignal<Open | null>(null);
  const notArrived = useSignal('');
  const { busy, refused, run } = useDoing(saidProblem);
  const test = (name: AlertChannel) => () =>
    run(async () => {
      const { sent, ...of } = await post('/alerts/test', { channel: name });
      const label = channelName(name);
      notArrived.value = sent ? '' : said.notTested(label, whySaid(of));
      if (sent) sayDone(said.tested(label));
      reload();
    });
  const show = (make: (settings: Settings) => Open) => () =>
    run(async () => {
      const { chosen } = await get('/alerts/settings');
      open.value = make(chosen);
    });
  const close = () => {
    open.value = null;
  };
  const done = () => {
    close();
    sayDone(said.saved);
    reload();
  };
  const opened = open.value;
  const free = alertChannels.filter(name => !channels.some(one => one.name === name));
  const add = may('admin') && free.length > 0 && (
    <button type="button" class="act go" onClick={show(settings => ({ what: 'add', settings }))}>
      {said.add}
    </button>
  );
  return (
    <section aria-labelledby="alert-channels">
      <h2 id="alert-channels">{said.channels}</h2>
      <Refused text={notArrived.value || null} />
      <ProblemNotice problem={refused.value} />
      {channels.length === 0 ? (
        <Empty name="alerts" action={add}>
          {said.noChannels}
        </Empty>
      ) : (
        <Table
          caption={said.channels}
          rows={channels}
          rowKey={row => row.name}
          columns={[
            {
              key: 'name',
              title: said.channel,
              cell: row => (
                <>
                  {channelName(row.name)} {row.fixed && <span class="quiet">{said.fixed}</span>}
                </>
              ),
            },
            { key: 'state', title: said.state, cell: row => stateOf(row) },
            {
              key: 'ok',
              title: said.lastOk,
              cell: row => (row.last_ok_at === null ? said.never : <span class="mono">{moment(row.last_ok_at)}</span>),
            },
            { key: 'waiting', title: said.waiting, number: true, cell: row => row.waiting },
            ...(may('admin')
              ? [
                  {
                    key: 'actions',
                    title: said.actions,
                    cell: (row: ChannelRow) => {
                      const label = channelName(row.name);
                      const of = (what: 'change' | 'remove') => show(settings => ({ what, name: row.name, settings }));
                      return (
                        <span class="actions">
                          <button
                            type="button"
                            class="act"
                            aria-label={said.testOf(label)}
                            disabled={busy.value}
                            onClick={test(row.name)}
                          >
                            {said.test}
                          </button>
                          {!row.fixed && (
                            <>
                              <button
                                type="button"
                                class="act"
                                aria-label={said.changeOf(label)}
                                onClick={of('change')}
                              >
                                {said.change}
                              </button>
                              <button
                                type="button"
                                class="act"
                                aria-label={said.removeOf(label)}
                                onClick={of('remove')}
                              >
                                {shared.value.act.remove}
                              </button>
                            </>
                          )}
                        </span>
                      );
                    },
                  },
                ]
              : []),
          ]}
        />
      )}
      {channels.length > 0 && <p>{add}</p>}
      <p class="quiet">{said.lineHint}</p>
      {opened?.what === 'add' && <AddDialog free={free} settings={opened.settings} done={done} close={close} />}
      {opened?.what === 'change' && (
        <ChannelDialog name={opened.name} settings={opened.settings} done={done} close={close} />
      )}
      {opened?.what === 'remove' && (
        <RemoveChannelDialog name={opened.name} settings={opened.settings} done={done} close={close} />
      )}
    </section>
  );
}

function stateOf({ failures, last_ok_at, ...of }: ChannelRow) {
  const said = words.value;
  if (failures > 0) return <span class="bad">{said.fails(whySaid(of), failures)}</span>;
  return last_ok_at === null ? said.unused : said.works;
}
