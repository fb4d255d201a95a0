import type { Duplex } from 'node:stream';

/**
 * Lets a broker read a socket only while there is room for what it may find, and while the device
 * reads what it is told. What is left unread waits in the kernel, and at last in the device: that
 * is the back pressure of MQTT 3.1.1, which has no packet for it. Answers how to wake a reader that
 * found the gate shut.
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
    // Node's own stream code calls read(0) to have more fetched, and throws away what it answers.
    if (size === 0) return read(0);
    return mayRead() ? readAll(stream, read) : null;
  };
  return wake;
}

/**
 * Node reads one piece at a time and says nothing of those behind it; a broker reads once and waits
 * to hear of more.
 */
function readAll(stream: Duplex, read: () => Buffer | null): Buffer | null {
  const first = read();
  if (first === null || stream.readableLength === 0) return first;
  const pieces = [first];
  for (let piece = read(); piece !== null; piece = read()) pieces.push(piece);
  return Buffer.concat(pieces);
}
