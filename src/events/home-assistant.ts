import { eventTopics, homeAssistantConfig } from '../platform/event-topics.ts';
import { type HomeAssistantLanguage, homeAssistantWords } from './home-assistant-words.ts';

/**
 * Description of the box and its devices for Home Assistant, in which they appear automatically:
 * MQTT discovery of whole devices (https://www.home-assistant.io/integrations/mqtt/), of Home
 * Assistant 2024.11 or later. The values come from the retained topics that other programs hear.
 */
export interface DiscoveryFacts {
  readonly boxId: string;
  readonly serialNumber: string;
  readonly model: string;
  readonly version: string;
  /** Name of the site. */
  readonly site: string;
  /** Of the pages; null: not known. */
  readonly url: string | null;
  readonly language: HomeAssistantLanguage;
}

interface DiscoveredDevice {
  readonly deviceId: string;
  readonly name: string;
  readonly model: string;
}

/** By topic, the payload to retain. */
type Discovery = ReadonlyMap<string, string>;

type Component = Readonly<Record<string, string | number>>;

const idOf = (id: string): string => `gatehouse_${id.replace(/[^\w-]/g, '_')}`;

export function discoveryOf(facts: DiscoveryFacts, devices: readonly DiscoveredDevice[]): Discovery {
  const said = new Map([[homeAssistantConfig(idOf(facts.boxId)), JSON.stringify(boxSaid(facts))]]);
  for (const device of devices)
    said.set(homeAssistantConfig(idOf(device.deviceId)), JSON.stringify(deviceSaid(facts, device)));
  return said;
}

/** Fields common to all: while the broker is gone, Home Assistant shows each as unavailable. */
const common = ({ version }: DiscoveryFacts) => ({
  origin: { name: 'Gatehouse', sw_version: version },
  availability: [
    { topic: eventTopics.box, value_template: "{{ 'online' if value_json.version is defined else 'offline' }}" },
  ],
});

function boxSaid(facts: DiscoveryFacts) {
  const { boxId, serialNumber, model, version, site, url, language } = facts;
  const id = idOf(boxId);
  const words = homeAssistantWords[language];
  const ofLine = { state_topic: eventTopics.line, entity_category: 'diagnostic' };
  const ofBox = { platform: 'sensor', state_topic: eventTopics.box };
  const bytes = { device_class: 'data_size', unit_of_measurement: 'B', suggested_display_precision: 0 };
  const disk = { ...ofBox, ...bytes, state_class: 'measurement', entity_category: 'diagnostic' };
  const components: Readonly<Record<string, Component>> = {
    line: {
      platform: 'binary_sensor',
      device_class: 'connectivity',
      ...ofLine,
      // Without a cloud there is no line: None is unknown.
      value_template: "{{ {'up': 'ON', 'none': 'None'}.get(value_json.state, 'OFF') }}",
      json_attributes_topic: eventTopics.line,
    },
    waiting: { platform: 'sensor', state_class: 'measurement', ...ofLine, value_template: '{{ value_json.waiting }}' },
    disk_used: { ...disk, value_template: '{{ value_json.disk.used_bytes }}' },
    disk_free: { ...disk, value_template: '{{ value_json.disk.free_bytes }}' },
    checkins_today: { ...ofBox, state_class: 'total_increasing', value_template: '{{ value_json.checkins_today }}' },
    devices_online: { ...ofBox, state_class: 'measurement', value_template: '{{ value_json.devices.online }}' },
    alerts: { ...ofBox, state_class: 'measurement', value_template: '{{ value_json.alerts | length }}' },
    problem: {
      ...ofBox,
      platform: 'binary_sensor',
      device_class: 'problem',
      value_template: "{{ 'ON' if value_json.alerts else 'OFF' }}",
      json_attributes_topic: eventTopics.box,
    },
  };
  const page = url === null ? {} : { configuration_url: url };
  const device = { identifiers: [id], name: site, manufacturer: 'Gatehouse', model, sw_version: version };
  return {
    device: { ...device, serial_number: serialNumber, ...page },
    ...common(facts),
    components: Object.fromEntries(
      Object.entries(components).map(([key, component]) => [
        key,
        { ...component, name: words[key as keyof typeof words], unique_id: `${id}_${key}` },
      ]),
    ),
  };
}

function deviceSaid(facts: DiscoveryFacts, { deviceId, name, model }: DiscoveredDevice) {
  const id = idOf(deviceId);
  return {
    device: {
      identifiers: [id],
      name: name || deviceId,
      model,
      serial_number: deviceId,
      via_device: idOf(facts.boxId),
    },
    ...common(facts),
    components: {
      connected: {
        platform: 'binary_sensor',
        device_class: 'connectivity',
        name: homeAssistantWords[facts.language].connected,
        unique_id: `${id}_connected`,
        state_topic: eventTopics.presence(deviceId),
        value_template: "{{ 'ON' if value_json.online else 'OFF' }}",
      },
    },
  };
}
