/** A box of a test listens for devices and for people on ports that are free, and for nothing else. */
export const freePortsOnly = {
  GATEHOUSE_LISTEN__MQTTS: '127.0.0.1:0',
  GATEHOUSE_LISTEN__HTTPS: '127.0.0.1:0',
  GATEHOUSE_LISTEN__HTTP: 'off',
  GATEHOUSE_LISTEN__METRICS: 'off',
  GATEHOUSE_PROVISIONING__WIFI: 'off',
  GATEHOUSE_PROVISIONING__BLUETOOTH: 'off',
  GATEHOUSE_PROVISIONING__RESULT_LISTEN: 'off',
};
