import { parseEnvelope } from '../platform/envelope.ts';
import type { Clock } from '../runtime/clock.ts';
import { deviceDetails, deviceEnds } from '../words/device-ends.ts';
import type { GivenReason } from '../words/sentences.ts';
import { Activation } from './activation.ts';
import { Admission } from './admission.ts';
import { CloudWaits } from './cloud-waits.ts';
import { Counters } from './counters.ts';
import { whyOver } from './credentials.ts';
import { DeviceStates } from './device-states.ts';
import { EventLog } from './event-log.ts';
import { HeldBack } from './held-back.ts';
import { BatchReceiver } from './http/batch.ts';
import { BoxHolders } from './http/box-holders.ts';
import { BoxesHeard } from './http/boxes-heard.ts';
import { httpGateway } from './http/gateway.ts';
import { HttpSessions } from './http/sessions.ts';
import { Inbox } from './inbox.ts';
import { KnownPlaces } from './known-places.ts';
import { LoginPace } from './login-pace.ts';
import { MqttGateway } from './mqtt/gateway.ts';
import { NewDevices } from './new-devices.ts';
import { Pipeline } from './pipeline.ts';
import type { Devices, DevicesOptions } from './port.ts';
import { Presence } from './presence.ts';
import { keyFitsNobody } from './product-key.ts';
import { LogQuota } from './quota.ts';
import { RefusalLog } from './refusal-log.ts';
import { RefusedNow } from './refused-now.ts';
import type { Session } from './session.ts';
import { UsedTwice } from './used-twice.ts';

const sweepMs = 5_000;

export async function openDevices(options: DevicesOptions): Promise<Devices> {
  const { store, clock, log, actions, upstream, limits } = options;
  const closing = new AbortController();
  const counters = new Counters();
  const presence = new Presence(store.shared.presence);
  const heldBack = new HeldBack(clock);
  store.onHealthChange(({ state }) => heldBack.storeChanged(state === 'ok', presence.devices));
  presence.onChange((deviceNo, online) => online && heldBack.came(deviceNo));
  const refusedNow = await RefusedNow.open({ store, clock });
  const refusals = new RefusalLog({ store, clock, log, refused: refusal => refusedNow.note(refusal) });
  const deviceStates = await DeviceStates.open({
    store,
    directory: store.directory,
    presence,
    heldBack,
    refused: refusedNow,
  });
  const quota = new LogQuota({
    perSecond: limits.logPerSecond,
    perDay: limits.logPerDay,
    clock,
    site: options.site,
    shared: store.shared.logCounts,
    signal: closing.signal,
  });
  const resume = async () => {
    const today = quota.today();
    quota.resume(today, await store.read.logCounts(today));
  };
  // Tables that are far behind, after a kill under load or where another process of a region fills
  // them slowly, hold no start up: what enters them later counts into the quota then.
  await store.level();
  await resume();
  if (store.health().lagRecords > 0)
    store
      .catchUp()
      .then(resume)
      .catch(error => log.warn({ error: String(error) }, 'logs_not_counted'));

  const events = new EventLog({ store, clock, log, counters });
  const note = (session: Session, kind: string, detail: string | GivenReason): void =>
    events.note(session, kind, detail);
  const usedTwice = new UsedTwice({ clock, store }, note);
  // The device is admitted, since it showed its key; but its records through that box are taken
  // too, and staff may want to move it.
  presence.onChangeAnywhere((deviceNo, online) => {
    const device = online ? store.directory.deviceByNo(deviceNo) : undefined;
    if (device) refusedNow.came(device);
  });
  presence.onChange((deviceNo, online) => {
    const device = online ? store.directory.deviceByNo(deviceNo) : undefined;
    if (device?.belongsTo && device.belongsTo !== 'here')
      events.note({ deviceNo }, 'belongs_elsewhere', deviceDetails.say('belongs_to_box', { box: device.belongsTo }));
  });

  const pace = new LoginPace(clock, store.processes);
  const places = await KnownPlaces.open({ store, clock, log });
  const newDevices = await NewDevices.open({ store, clock, log, perHour: options.newDevicesPerHour });
  const admission = new Admission({
    store,
    clock,
    upstream,
    refusals,
    pace,
    places,
    newDevices,
    heldBack: deviceNo => heldBack.refused(deviceNo),
  });
  const waits = new CloudWaits(clock, upstream);
  const activation = new Activation({ store, clock, log, upstream, waits });
  const inbox = new Inbox({
    store,
    clock,
    log,
    counters,
    messagesMax: limits.inboxMessages,
    waiting: await store.read.inboxOwners(),
    handOver: (deviceNo, payload) => mqtt.handOver(deviceNo, payload),
    isHere: deviceNo => presence.isOnline(deviceNo),
  });
  const pipeline = new Pipeline({
    store,
    time: options.time,
    actions,
    quota,
    counters,
    activation,
    upstream,
    featuresStay: options.featuresStay,
    unnamedStay: options.unnamedStay,
    logBytesMax: limits.logBytes,
    answer: (session, payload) => {
      inbox
        .deliver(session.deviceNo, payload)
        .catch(error =>
          log.warn({ device: session.device.deviceId, error: String(error) }, 'answer_not_stored_in_inbox'),
        );
    },
    note,
  });
  const mqtt = new MqttGateway({
    store,
    clock,
    log,
    admission,
    pipeline,
    presence,
    counters,
    inbox: () => inbox,
    messageBytesMax: limits.messageBytes,
    strict: options.strict,
    note,
    tookPlace: (session, before) => usedTwice.tookPlace(session, before),
    refused: (address, refusal) => refusals.note({ gateway: 'mqtt', clientId: `MQTT ${address}`, address }, refusal),
    whyOver: session => whyOver(session, store.directory),
  });
  const sessions = new HttpSessions(
    clock,
    {
      cameOver: session => presence.came(session),
      left: ({ deviceNo }) => presence.left(deviceNo),
      ended: (session, why) => note(session, 'disconnected', why),
      whyOver: session => whyOver(session, store.directory),
      refresh: () => store.refreshDirectory(),
    },
    store.shared.httpSessions,
  );
  store.claims.onWanted(async deviceNo => {
    mqtt.kick(deviceNo, deviceEnds.say('connected_elsewhere'));
    await inbox.rest(deviceNo);
  });
  store.claims.onTaken(deviceNo => inbox.mayHold(deviceNo));
  store.claims.onMessage(deviceNo => inbox.arrived(deviceNo));
  store.directory.onChange(changed => {
    const deviceNo = changed?.deviceNo ?? null;
    mqtt.review(deviceNo);
    sessions.review(deviceNo);
  });
  const batches = new BatchReceiver({
    store,
    clock,
    time: options.time,
    actions,
    featuresStay: options.featuresStay,
    unnamedStay: options.unnamedStay,
    logBytesMax: limits.logBytes,
    messageBytesMax: limits.messageBytes,
    isHere: deviceNo => presence.isOnline(deviceNo),
    activate: (device, text) => activateBehind(activation, device, text),
    deliver: async (deviceNo, payload) => void (await inbox.deliver(deviceNo, payload)),
  });
  const http = httpGateway({
    store,
    admission,
    pipeline,
    inbox,
    sessions,
    batches,
    holders: new BoxHolders(store, clock),
    boxesHeard: new BoxesHeard(store, { clock, log }),
    backups: options.backupsBelow,
    refusals,
    boxProductId: options.boxProductId,
    boxLogsStay: options.boxLogsStay,
    messageBytesMax: limits.messageBytes,
    opened: session => {
      presence.came(session);
      note(session, 'connected', deviceDetails.say('connected_over', { gateway: 'HTTP', address: session.address }));
    },
    note,
  });

  const sweeping = sweep(clock, sessions, closing.signal);

  return {
    handleMqtt: (stream, from) => mqtt.handle(stream, from),
    routes: http.routes,
    direct: http.direct,
    async fromCloud(deviceNo, payload) {
      const envelope = parseEnvelope(payload);
      if (envelope.ok && actions.nameOf(envelope.value.action) === 'activate')
        await activation.learn(deviceNo, envelope.value);
      await inbox.deliver(deviceNo, payload);
    },
    deliver: (deviceNo, payload) => inbox.deliver(deviceNo, payload),
    onTaken: listener => inbox.onTaken(listener),
    isOnline: deviceNo => presence.isOnline(deviceNo),
    isHere: deviceNo => presence.isHere(deviceNo),
    stamp: () => options.time.stamp,
    idAsWritten: deviceNo => presence.idAsWritten(deviceNo) ?? store.directory.deviceByNo(deviceNo)?.deviceId ?? '',
    stateOf: device => deviceStates.stateOf(device),
    keyFitsNobody: product => keyFitsNobody(product, store.directory.devices(), device => deviceStates.wasHere(device)),
    onPresence: listener => presence.onChange(listener),
    onPresenceAnywhere: listener => presence.onChangeAnywhere(listener),
    letNewDevicesIn: productId => newDevices.letIn(productId),
    newDevices: () => newDevices.report(),
    usedTwice: () => usedTwice.now(),
    kick(deviceNo, why) {
      mqtt.kick(deviceNo, why);
      sessions.endAllOf(deviceNo, why);
    },
    noteTlsFailure(gateway, address, error) {
      counters.add('tls_failure');
      refusals.note(
        { gateway, clientId: `TLS ${address}`, address },
        { code: 'tls', detail: error.message.slice(0, 120) },
      );
    },
    status() {
      const states = deviceStates.counts();
      const known = Object.values(states).reduce((sum, count) => sum + count, 0);
      return { known, online: states.online, held_back: states.held_back, refused: refusedNow.count, states };
    },
    noteTooMany(gateway, address, detail) {
      counters.add('too_many_connections');
      const clientId = `${gateway.toUpperCase()} ${address}`;
      refusals.note({ gateway, clientId, address }, { code: 'too_many_connections', detail });
    },
    noteSlowRequest: () => counters.add('slow_request'),
    onHttpLogin: listener => sessions.onShown(listener),
    counters: () => ({ ...counters.all(), login_refused: refusals.count }),
    async [Symbol.asyncDispose]() {
      closing.abort();
      waits[Symbol.dispose]();
      pace[Symbol.dispose]();
      await sweeping;
      await mqtt.close();
      await events.close();
      await places.close();
    },
  };
}

async function sweep(clock: Clock, sessions: HttpSessions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(sweepMs, signal).catch(() => {});
    sessions.sweep();
  }
}

/** An activation that came in a batch: the same rules as at the gateways. */
function activateBehind(activation: Activation, device: Session['device'], text: string): Promise<object | null> {
  const envelope = parseEnvelope(Buffer.from(text));
  if (!envelope.ok) return Promise.resolve(null);
  const session: Session = {
    deviceNo: device.deviceNo,
    clientId: device.deviceId,
    gateway: 'http',
    address: 'a box below',
    device,
    // The key that the device showed to the box below is not known here.
    madeWith: { kind: 'cloud', secret: '' },
  };
  return activation.activate(session, envelope.value).answer();
}
