import type { Duplex } from 'node:stream';

/**
 * Lets a broker read a socket only while the journal has room and while the device reads what it is
 * sent. Unread bytes stay in the kernel and finally in the device: MQTT 3.1.1 has no other back
 * pressure. Returns a function that wakes a reader which found the gate closed.
 */
export function gateReading(stream: Duplex, hasRoom: () => boolean): () => void {
  const read = stream.read.bind(stream);
  let awaitsDrain = false;
  const wake = () => {
    if (!stream.destroyed) stream.emit('readable');
  };
  const mayRead = () => {
    if (!stream.writableNeedDrain) return hasRoom();
    if (!awaitsDrain)
      stream.once('drain', () => {
        awaitsDrain = false;
        wake();
      });
    awaitsDrain = true;
    return false;
  };
  stream.read = (size?: number) => {
    // Node's stream code calls read(0) to fetch more and ignores the result.
    if (size === 0) return read(0);
    return mayRead() ? readAll(stream, read) : null;
  };
  return wake;
}

/**
 * Node returns one chunk at a time and does not announce further ones, but a broker reads once and
 * waits for the next event.
 */
function readAll(stream: Duplex, read: () => Buffer | null): Buffer | null {
  const first = read();
  if (first === null || stream.readableLength === 0) return first;
  const pieces = [first];
  for (let piece = read(); piece !== null; piece = read()) pieces.push(piece);
  return Buffer.concat(pieces);
}
