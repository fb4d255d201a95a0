import { useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import type { BoxBelowRow } from '../../../../src/admin/ui/boxes.ts';
import { pagePaths } from '../../../../src/platform/page-paths.ts';
import { usePages } from '../../loaded.ts';
import { now } from '../../parts/now.ts';
import { ago, bytes, count, moment } from '../../parts/numbers.ts';
import { More, Table } from '../../parts/table.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { DeleteBackupDialog, UnlistBoxDialog } from './dialogs.tsx';
import { say } from './words.ts';

const pageRows = 20;

/** The boxes below, or the chosen one. */
export function useBoxes(box: string) {
  const pages = usePages('/boxes', { box, limit: pageRows });
  const isFirstPage = useCallback(() => pages.rows.peek().length <= pageRows, [pages.rows]);
  return { ...pages, isFirstPage };
}

const nameOf = ({ name, box_id: id }: BoxBelowRow): string => (name === '' ? id : name);

/** Backups that a box below keeps here; nobody here can read them. */
function lastBackup({ backups: [newest, ...older] }: BoxBelowRow): string {
  const said = say.value;
  return newest ? said.boxBackupCount(older.length + 1, ago(newest.received_at, now.value)) : said.boxNoBackup;
}

function Backups({ of: row, changed }: { of: BoxBelowRow; changed: () => void }) {
  const said = say.value;
  const leaving = useSignal<string | null>(null);
  const { box_id: id, backups } = row;
  return (
    <details>
      <summary>{said.boxBackupsOf(nameOf(row), backups.length)}</summary>
      <p class="quiet">{said.boxBackupsLead}</p>
      <Table
        caption={said.boxBackupsOf(nameOf(row), backups.length)}
        rows={backups}
        rowKey={({ name }) => name}
        columns={[
          { key: 'received', title: said.boxBackupReceived, cell: one => moment(one.received_at) },
          { key: 'bytes', title: said.boxBackupSize, number: true, cell: one => bytes(one.bytes) },
          {
            key: 'name',
            title: said.boxBackupFile,
            cell: ({ name }) =>
              may('admin') ? (
                <a class="mono" href={`/admin/v1/boxes/${encodeURIComponent(id)}/backups/${name}`} download={name}>
                  {name}
                </a>
              ) : (
                <span class="mono">{name}</span>
              ),
          },
          ...(may('admin')
            ? [
                {
                  key: 'delete',
                  title: '',
                  cell: ({ name }: BoxBelowRow['backups'][number]) => (
                    <button
                      type="button"
                      class="act"
                      aria-label={said.deleteBackupTitle(name)}
                      onClick={() => {
                        leaving.value = name;
                      }}
                    >
                      {said.deleteBackup}
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {leaving.value !== null && (
        <DeleteBackupDialog
          box={id}
          name={leaving.value}
          close={() => {
            leaving.value = null;
          }}
          done={() => {
            leaving.value = null;
            changed();
          }}
        />
      )}
    </details>
  );
}

/** The boxes below, where there are any. */
export function Boxes({ from, changed }: { from: ReturnType<typeof useBoxes>; changed: () => void }) {
  const said = say.value;
  const leaving = useSignal<string | null>(null);
  const rows = from.rows.value;
  const total = from.first.value?.total ?? 0;
  const close = () => {
    leaving.value = null;
  };
  return (
    <>
      {rows.length > 0 && (
        <section aria-labelledby="boxes-below">
          <h2 id="boxes-below">{said.boxes}</h2>
          <p class="quiet">
            {said.boxesLead} <a href={pagePaths.fleet}>{said.boxesInFleet}</a>
          </p>
          <Table
            caption={said.boxes}
            rows={rows}
            rowKey={row => row.box_id}
            empty=""
            total={total}
            columns={[
              {
                key: 'name',
                title: said.name,
                cell: row => (
                  <span>
                    {row.name !== '' && `${row.name} `}
                    <span class="mono">{row.box_id}</span>
                  </span>
                ),
              },
              { key: 'state', title: said.state, cell: row => (row.online ? said.boxOnline : said.boxAway) },
              { key: 'backups', title: said.boxBackups, cell: lastBackup },
              { key: 'devices', title: said.boxDevices, number: true, cell: row => count(row.devices) },
              ...(may('admin')
                ? [
                    {
                      key: 'unlist',
                      title: '',
                      cell: (row: BoxBelowRow) => (
                        <button
                          type="button"
                          class="act"
                          aria-label={`${said.unlistBox}: ${row.box_id}`}
                          onClick={() => {
                            leaving.value = row.box_id;
                          }}
                        >
                          {said.unlistBox}
                        </button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
          <More state={from.state.value} more={from.more} />
          {rows.map(row => row.backups.length > 0 && <Backups key={row.box_id} of={row} changed={changed} />)}
        </section>
      )}
      {leaving.value !== null && (
        <UnlistBoxDialog
          box={leaving.value}
          close={close}
          done={sentence => {
            sayDone(sentence);
            close();
            changed();
          }}
        />
      )}
    </>
  );
}
