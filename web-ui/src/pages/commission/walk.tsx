import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { WalkReport } from '../../../../src/admin/ui/commission.ts';
import { get, type Problem, post, query } from '../../api.ts';
import { listen } from '../../live.ts';
import { useDoing } from '../../parts/doing.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { State, Table } from '../../parts/table.tsx';
import { whenOf } from '../../parts/when.ts';
import { FirstPunch, Mark } from './device-list.tsx';
import { change, isDone, type ListedDevice, list, note, titleOf } from './list.ts';
import { commissionWords } from './words.ts';

const lookEveryMs = 3000;
const shownMax = 30;
/** Of one sheet. */
const labelsMax = 100;

/** The installer punches once at each terminal: shows what arrives, and ticks off the device. */
export function WalkTest() {
  const said = commissionWords.value;
  const arrived = useSignal<WalkReport['punches']>([]);
  const online = useSignal<ReadonlySet<string>>(new Set());
  const problem = useSignal<Problem | null>(null);
  const ticked = useSignal('');
  useEffect(() => {
    let over = false;
    let looking = false;
    const look = async () => {
      if (looking || document.hidden) return;
      looking = true;
      try {
        const report = await get('/ui/walk', asked());
        if (over) return;
        problem.value = null;
        online.value = new Set(report.online);
        arrived.value = [...[...report.punches].reverse(), ...arrived.peek()].slice(0, shownMax);
        noteProved(report);
        noteApproval(report);
        const names = tick(report);
        if (names.length > 0) ticked.value = names.map(name => said.walkTicked(name)).join(' ');
        note({ cursor: report.cursor });
      } catch (error) {
        problem.value = error as Problem;
      } finally {
        looking = false;
      }
    };
    void look();
    const timer = setInterval(() => void look(), lookEveryMs);
    const deaf = listen('checkin', () => void look());
    return () => {
      over = true;
      clearInterval(timer);
      deaf();
    };
  }, []);
  const { devices } = list.value;
  const ids = devices.flatMap(({ deviceId }) => deviceId ?? []).slice(0, labelsMax);
  return (
    <>
      <p>{said.walkLead}</p>
      <ProblemNotice problem={problem.value} />
      <p role="status" class="ok">
        {ticked}
      </p>
      <Table
        caption={said.walkCaption}
        rows={devices}
        rowKey={row => row.target}
        empty={said.empty}
        columns={[
          { key: 'device', title: said.device, cell: row => <span class="mono device-id">{titleOf(row)}</span> },
          {
            key: 'online',
            title: said.online,
            cell: row => <State state={online.value.has(row.deviceId ?? '') ? 'online' : 'silent'} />,
          },
          { key: 'punch', title: said.punch, cell: row => <FirstPunch device={row} /> },
          { key: 'approval', title: said.personalData, cell: row => <Approval device={row} problem={problem} /> },
        ]}
      />
      <p class="bar">
        <a class={devices.every(isDone) ? 'act go' : 'act'} href="/commission?step=report">
          {said.handOver}
        </a>
        {ids.length > 0 && (
          <a
            class="act"
            href={`/admin/v1/labels${query({ device: ids, sheet: '50x30' })}`}
            target="_blank"
            rel="noopener"
          >
            {said.labels}
          </a>
        )}
      </p>
      <h2>{said.arrivals}</h2>
      <Table
        caption={said.arrivalsCaption}
        rows={arrived.value}
        rowKey={row => `${row.kind} ${row.deviceId} ${row.receivedAt} ${row.at} ${row.name}`}
        empty={said.arrivalsNone}
        columns={[
          { key: 'at', title: said.at, cell: row => <span class="mono">{whenOf(row.receivedAt)}</span> },
          { key: 'device', title: said.device, cell: row => <span class="mono">{row.deviceId}</span> },
          { key: 'what', title: said.what, cell: row => said[row.kind] },
          { key: 'who', title: said.who, cell: row => row.name || <span class="quiet">{said.nobody}</span> },
        ]}
      />
    </>
  );
}

function asked() {
  const { cursor, devices } = list.peek();
  return { cursor, device: devices.slice(0, 200).flatMap(({ deviceId }) => deviceId ?? []) };
}

/** A login is a proof of the key: notes when it was first seen. */
function noteProved({ proved }: WalkReport): void {
  for (const device of list.peek().devices)
    if (device.provedAt === null && device.deviceId !== null && proved.includes(device.deviceId))
      change(device.target, { provedAt: Date.now() });
}

/** Notes which devices wait for approval to receive people's data. */
function noteApproval({ unapproved, online }: WalkReport): void {
  for (const { target, deviceId, isUnapproved } of list.peek().devices) {
    if (deviceId === null || !(online.includes(deviceId) || unapproved.includes(deviceId))) continue;
    const waits = unapproved.includes(deviceId);
    if (waits !== isUnapproved) change(target, { isUnapproved: waits });
  }
}

function Approval({ device, problem }: { device: ListedDevice; problem: Signal<Problem | null> }) {
  const said = commissionWords.value;
  const { busy, run } = useDoing(refused => {
    problem.value = refused;
    return null;
  });
  const { target, deviceId, isUnapproved } = device;
  if (isUnapproved === null || deviceId === null) return <Mark good={null}>{said.notYet}</Mark>;
  if (!isUnapproved) return <Mark good>{said.approved}</Mark>;
  const approve = () =>
    run(async () => {
      await post('/devices/people-data', { device_ids: [deviceId], allowed: true });
      change(target, { isUnapproved: false });
    });
  return (
    <button
      type="button"
      class="act go"
      disabled={busy.value}
      aria-label={`${said.approve}: ${titleOf(device)}`}
      onClick={() => void approve()}
    >
      {said.approve}
    </button>
  );
}

/** Notes the first punch of each device of the list; returns the devices that are new. */
function tick({ punches }: WalkReport): string[] {
  const names: string[] = [];
  for (const { deviceId, receivedAt, name } of punches) {
    const device = list.peek().devices.find(one => one.deviceId === deviceId);
    if (!device || device.firstPunch !== null) continue;
    change(device.target, { firstPunch: { at: receivedAt, name } });
    names.push(deviceId);
  }
  return names;
}
