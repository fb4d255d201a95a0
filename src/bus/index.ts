export {
  type BusAnswer,
  BusRefused,
  type BusSignal,
  BusUnavailable,
  busFault,
  connectSystemBus,
  type SystemBus,
} from './system-bus.ts';
