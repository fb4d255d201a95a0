export {
  bodyBytesOf,
  bodyStart,
  endless,
  headerBytes,
  PacketCursor,
  packetType,
  readU16,
  typeOf,
  unfinished,
  writeHeader,
} from './header.ts';
export { beginsPuback, pubackBytes, pubackId, writePuback } from './puback.ts';
export {
  encodeTopic,
  idBytesOf,
  isPublishBelowQos2,
  publishBytes,
  topicEnd,
  topicStart,
  writePublish,
} from './publish.ts';
