export {
  type BusAnswer,
  type BusCall,
  BusRefused,
  type BusSignal,
  BusUnavailable,
  connectSystemBus,
  type SystemBus,
} from './system-bus.ts';
