/**
 * What the load offers for the exchange of keys: what devices do. Node would offer ML-KEM too and
 * the box would take it, where Debian's mosquitto cannot, and the two would not do the same work.
 */
export const curves = 'X25519:prime256v1';
