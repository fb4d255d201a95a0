export { connack, readConnect } from './connect.ts';
export {
  bodyBytesOf,
  bodyStart,
  endless,
  flagsAreRight,
  headerBytes,
  lengthIsRight,
  packetType,
  readU16,
  typeOf,
  unfinished,
  writeHeader,
} from './header.ts';
export {
  acknowledgement,
  acknowledgementHead,
  beginsPuback,
  isAcknowledgement,
  pubackBytes,
  pubackId,
  writePuback,
} from './puback.ts';
export {
  encodeTopic,
  idBytesOf,
  publishBytes,
  topicEnd,
  topicStart,
  writePublish,
  writePublishHead,
} from './publish.ts';
export { readFilters, suback } from './subscribe.ts';
export { isTopicName, readText } from './text.ts';
