import type { DevicePageReport } from '../../../../src/admin/ui/device-page.ts';
import { bytes, count, moment } from '../../parts/numbers.ts';
import { Table } from '../../parts/table.tsx';
import { say } from './words.ts';

/** Messages that wait until the device fetches them; their content is not shown. */
export function Inbox({ inbox }: { inbox: DevicePageReport['inbox'] }) {
  const said = say.value;
  return (
    <section aria-labelledby="inbox">
      <h2 id="inbox">{said.inbox}</h2>
      <Table
        caption={said.inbox}
        rows={inbox.messages}
        rowKey={row => row.id}
        empty={said.noInbox}
        columns={[
          { key: 'put', title: said.putAt, cell: row => <span class="mono">{moment(row.put_at)}</span> },
          {
            key: 'what',
            title: said.what,
            cell: row => (row.action === null ? said.message : said.action(String(row.action))),
          },
          { key: 'size', title: said.size, number: true, cell: row => bytes(row.bytes) },
        ]}
      />
      {inbox.count > inbox.messages.length && <p class="quiet">{said.inboxMore(count(inbox.count))}</p>}
    </section>
  );
}
