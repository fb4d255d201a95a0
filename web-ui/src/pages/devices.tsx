import { useLocation } from 'preact-iso';
import { DevicePage } from './devices/device.tsx';
import './devices/devices.css';
import { DeviceList } from './devices/list.tsx';

/** `/devices`, and below it one device: `/devices/FACE-T1_A0001`. */
export default function Devices() {
  const { path } = useLocation();
  const [, , id = ''] = path.split('/');
  return id === '' ? <DeviceList /> : <DevicePage key={id} id={decodeURIComponent(id)} />;
}
