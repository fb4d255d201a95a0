import { useLocation } from 'preact-iso';
import { DevicePage } from './devices/device.tsx';
import './devices/devices.css';
import { ReceiptPage } from '../parts/receipt.tsx';
import { DeviceList } from './devices/list.tsx';
import { StatementSheet } from './devices/statement-sheet.tsx';
import { Statements } from './devices/statements.tsx';

/**
 * `/devices`, and below it one device: `/devices/FACE-T1_A0001`, its statements and one of them
 * (`…/statement/2026-11-20`), and the receipt of a record (`…/record/17`).
 */
export default function Devices() {
  const { path } = useLocation();
  const [, , id = '', view, of] = path.split('/');
  if (id === '') return <DeviceList />;
  const device = decodeURIComponent(id);
  if (view === 'record') return <ReceiptPage key={path} asked={{ seq: Number(of) }} back={`/devices/${id}`} />;
  if (view === 'statement')
    return of ? <StatementSheet key={path} id={device} day={of} /> : <Statements key={id} id={device} />;
  return <DevicePage key={id} id={device} />;
}
