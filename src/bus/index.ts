export {
  type BusAnswer,
  BusRefused,
  type BusSignal,
  BusUnavailable,
  connectSystemBus,
  type SystemBus,
} from './system-bus.ts';
