import { MqttGateway } from './gateway.ts';
import type { MqttEngine, MqttEngineOptions } from './port.ts';

interface Choice {
  readonly engine: 'gateway' | 'aedes';
  /** With aedes: whether PUBLISH packets are read in front of it. */
  readonly framing: boolean;
}

/** Opens the engine of the config. aedes is loaded only when it is chosen. */
export async function openMqttEngine({ engine, ...options }: MqttEngineOptions & Choice): Promise<MqttEngine> {
  if (engine === 'gateway') return new MqttGateway(options);
  const { AedesGateway } = await import('./aedes/gateway.ts');
  return AedesGateway.open(options);
}
