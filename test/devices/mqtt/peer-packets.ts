/**
 * What MQTT clients that others wrote send to a device gateway, recorded once from the programs
 * themselves, and what the gateway has to answer: each pair is one chunk of the socket and the
 * answer to it, in hex, with the journal committed in between. The client id is FACE-T1_A1, the
 * user name FACE-T1, the password "secret". `does`: the arguments behind
 * `-V mqttv311 -i FACE-T1_A1 -u FACE-T1 -P secret`, or what a program with paho does.
 */
export interface PeerExchange {
  readonly peer: string;
  readonly does: string;
  readonly exchange: readonly (readonly [sent: string, answered: string])[];
  /** What the gateway took: the channel or the log's path, and the payload as Latin-1. */
  readonly taken: readonly string[];
  readonly notes: readonly string[];
}

export const peerExchanges: readonly PeerExchange[] = [
  {
    peer: 'mosquitto_pub 2.0.11',
    does: '-t device -q 0 -m hello',
    exchange: [
      ['102700044d51545404c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['300d000664657669636568656c6c6fe000', ''],
    ],
    taken: ['device hello'],
    notes: ['connected', 'malformed', 'disconnected'],
  },
  {
    peer: 'mosquitto_pub 2.0.11',
    does: '-t device -q 1 -m hello',
    exchange: [
      ['102700044d51545404c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['320f0006646576696365000168656c6c6f', '40020001'],
      ['e000', ''],
    ],
    taken: ['device hello'],
    notes: ['connected', 'malformed', 'disconnected'],
  },
  {
    peer: 'mosquitto_pub 2.0.11',
    does: '-t device -q 1 -l, three lines',
    exchange: [
      ['102700044d51545404c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['320f000664657669636500016669727374', '40020001'],
      ['3210000664657669636500027365636f6e64', '40020002'],
      ['320f000664657669636500037468697264', '40020003'],
      ['e000', ''],
    ],
    taken: ['device first', 'device second', 'device third'],
    notes: ['connected', 'malformed', 'malformed', 'malformed', 'disconnected'],
  },
  {
    peer: 'mosquitto_pub 2.0.11',
    does: '-t log/FT1/A1 -q 1 -r -m kept, retained',
    exchange: [
      ['102700044d51545404c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['3312000a6c6f672f4654312f413100016b657074', '40020001'],
      ['e000', ''],
    ],
    taken: ['FT1/A1 kept'],
    notes: ['connected', 'disconnected'],
  },
  {
    peer: 'mosquitto_pub 2.0.11',
    does: '-t device -q 1 -n, an empty message',
    exchange: [
      ['102700044d51545404c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['320a00066465766963650001', '40020001'],
      ['e000', ''],
    ],
    taken: ['device '],
    notes: ['connected', 'malformed', 'disconnected'],
  },
  {
    peer: 'mosquitto_pub 2.0.11',
    does: '-t weather -q 1 -m rain, to a topic of nobody',
    exchange: [
      ['102700044d51545404c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['320f00077765617468657200017261696e', '40020001'],
      ['e000', ''],
    ],
    taken: [],
    notes: ['connected', 'unknown_topic', 'disconnected'],
  },
  {
    peer: 'mosquitto_pub 2.0.11',
    does: '-t device -q 1 -m will, with --will-topic device --will-payload gone',
    exchange: [
      [
        '103500044d51545404c6003c000a464143452d54315f413100066465766963650004676f6e650007464143452d54310006736563726574',
        '20020000',
      ],
      ['320e0006646576696365000177696c6c', '40020001'],
      ['e000', ''],
    ],
    taken: ['device will'],
    notes: ['connected', 'malformed', 'disconnected'],
  },
  {
    peer: 'mosquitto_pub 2.0.11',
    does: '-t device -q 2 -m hello',
    exchange: [
      ['102700044d51545404c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['340f0006646576696365000168656c6c6f', ''],
    ],
    taken: [],
    notes: ['connected', 'qos2', 'disconnected'],
  },
  {
    peer: 'mosquitto_pub 2.0.11',
    does: '-V mqttv5 -t device -q 1 -m hello',
    exchange: [
      ['102b00044d51545405c2003c03210014000a464143452d54315f41310007464143452d54310006736563726574', '20020001'],
    ],
    taken: [],
    notes: [],
  },
  {
    peer: 'mosquitto_pub 2.0.11',
    does: '-V mqttv31 -t device -q 1 -m hello',
    exchange: [['102900064d514973647003c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020001']],
    taken: [],
    notes: [],
  },
  {
    peer: 'mosquitto_sub 2.0.11',
    does: '-t $client/FACE-T1_A1 -q 1 -W 1',
    exchange: [
      ['102700044d51545404c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['82170001001224636c69656e742f464143452d54315f413101', '9003000101'],
      ['e000', ''],
    ],
    taken: [],
    notes: ['connected', 'disconnected'],
  },
  {
    peer: 'mosquitto_sub 2.0.11',
    does: '-t $client/FACE-T1_A1 -q 2 -c -W 1, a session that stays',
    exchange: [
      ['102700044d51545404c0003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['82170001001224636c69656e742f464143452d54315f413102', '9003000101'],
      ['e000', ''],
    ],
    taken: [],
    notes: ['connected', 'disconnected'],
  },
  {
    peer: 'mosquitto_sub 2.0.11',
    does: '-t $client/FACE-T1_A1 -k 5 -W 7, a ping',
    exchange: [
      ['102700044d51545404c20005000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['82170001001224636c69656e742f464143452d54315f413100', '9003000100'],
      ['c000', 'd000'],
      ['e000', ''],
    ],
    taken: [],
    notes: ['connected', 'keep_alive_out_of_range', 'disconnected'],
  },
  {
    peer: 'mosquitto_sub 2.0.11',
    does: '-t $client/FACE-T1_A1 -U $client/FACE-T1_A1 -W 1',
    exchange: [
      ['102700044d51545404c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['82170001001224636c69656e742f464143452d54315f413100', '9003000100'],
      ['a2160002001224636c69656e742f464143452d54315f4131', 'b0020002'],
      ['e000', ''],
    ],
    taken: [],
    notes: ['connected', 'disconnected'],
  },
  {
    peer: 'mosquitto_sub 2.0.11',
    does: '-t # -W 1',
    exchange: [
      ['102700044d51545404c2003c000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['8206000100012300', ''],
    ],
    taken: [],
    notes: ['connected', 'foreign_subscribe', 'disconnected'],
  },
  {
    peer: 'paho 2.1.0',
    does: 'publish at QoS 0 and three times at QoS 1, then disconnect',
    exchange: [
      ['102700044d51545404c2001e000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['300c00066465766963657a65726f', ''],
      [
        '320d000664657669636500026f6e65320d0006646576696365000374776f320f000664657669636500047468726565',
        '400200024002000340020004',
      ],
      ['e000', ''],
    ],
    taken: ['device zero', 'device one', 'device two', 'device three'],
    notes: ['connected', 'malformed', 'malformed', 'malformed', 'malformed', 'disconnected'],
  },
  {
    peer: 'paho 2.1.0',
    does: 'subscribe to the own topic, ask for the time, hear it, unsubscribe, disconnect',
    exchange: [
      ['102700044d51545404c2001e000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['822c0001001224636c69656e742f464143452d54315f413101001224636c69656e742f666163652d74315f613100', '900400010100'],
      [
        '3259000664657669636500027b226d6964223a226d31222c2266726f6d223a22464143452d54315f4131222c22746f223a2273797374656d222c2274696d65223a302c22616374696f6e223a313030322c2264617461223a7b7d7d',
        '40020002309101001224636c69656e742f666163652d74315f61317b226d6964223a226d31222c2266726f6d223a2273797374656d222c22746f223a22464143452d54315f4131222c2274696d65223a313736333630303030302c22616374696f6e223a313030322c2264617461223a7b22636f6465223a302c226d7367223a226f6b222c2274696d65223a313736333630303030307d7d',
      ],
      ['a2160003001224636c69656e742f464143452d54315f4131', 'b0020003'],
      ['e000', ''],
    ],
    taken: ['device {"mid":"m1","from":"FACE-T1_A1","to":"system","time":0,"action":1002,"data":{}}'],
    notes: ['connected', 'disconnected'],
  },
  {
    peer: 'paho 2.1.0',
    does: 'publish at QoS 2',
    exchange: [
      ['102700044d51545404c2001e000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['340d0006646576696365000174776f', ''],
    ],
    taken: [],
    notes: ['connected', 'qos2', 'disconnected'],
  },
  {
    peer: 'paho 2.1.0',
    does: "subscribe to another device's topic",
    exchange: [
      ['102700044d51545404c2001e000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      ['82170001001224636c69656e742f464143452d54315f413200', ''],
    ],
    taken: [],
    notes: ['connected', 'foreign_subscribe', 'disconnected'],
  },
  {
    peer: 'paho 2.1.0',
    does: 'a log in Chinese, of a length in two bytes',
    exchange: [
      ['102700044d51545404c2001e000a464143452d54315f41310007464143452d54310006736563726574', '20020000'],
      [
        '328601000a6c6f672f4654312f41310001e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681e997a8e7a681',
        '40020001',
      ],
      ['e000', ''],
    ],
    taken: [
      'FT1/A1 \u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8\u00e7\u00a6\u0081\u00e9\u0097\u00a8',
    ],
    notes: ['connected', 'disconnected'],
  },
];
