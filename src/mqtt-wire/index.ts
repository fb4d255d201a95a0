export { connack, readConnect } from './connect.ts';
export {
  bodyBytesOf,
  bodyStart,
  endless,
  flagsAreRight,
  hasTwoBytes,
  headerBytes,
  PacketCursor,
  packetType,
  readU16,
  typeOf,
  unfinished,
  writeHeader,
} from './header.ts';
export { acknowledgement, acknowledgementHead, beginsPuback, pubackBytes, pubackId, writePuback } from './puback.ts';
export {
  encodeTopic,
  idBytesOf,
  isPublishBelowQos2,
  publishBytes,
  topicEnd,
  topicStart,
  writePublish,
  writePublishHead,
} from './publish.ts';
export { readFilters, suback } from './subscribe.ts';
