import { execFileSync } from 'node:child_process';
import { fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { DiskFaults } from './disk-faults.ts';
import { type DiskThreadData, shared } from './disk-thread-data.ts';
import { errno, FuseAnswers, headBytes, opcode, requestBytesMax } from './fuse-protocol.ts';
import { sectorBytes, WriteLogWriter } from './write-log.ts';

/**
 * The thread of a `FuseDisk`: reads one request after the other from `/dev/fuse` and answers it
 * before it reads the next, as a card with a queue of one does.
 */
function serve(data: DiskThreadData): void {
  const words = new Int32Array(data.shared);
  const image = openSync(data.image, 'r+');
  const diskBytes = fstatSync(image).size;
  const log = data.log === null ? null : new WriteLogWriter(data.log);
  const answers = new FuseAnswers(diskBytes);
  const fuse = openSync('/dev/fuse', 'r+');
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other';
  execFileSync('mount', ['-i', '-t', 'fuse', '-o', options, 'gatehouse-disk', data.folder], {
    stdio: ['ignore', 'ignore', 'pipe', fuse],
  });
  parentPort!.postMessage('mounted');

  let faults = new DiskFaults({});
  const renew = () => {
    for (let sent = receiveMessageOnPort(data.faults); sent; sent = receiveMessageOnPort(data.faults))
      faults = new DiskFaults(sent.message);
  };
  /** Waits as the faults say; a change of the faults ends the wait, and it is looked at them anew. */
  const hold = (kind: 'read' | 'write' | 'flush') => {
    const began = performance.now();
    for (;;) {
      const changes = Atomics.load(words, shared.changes);
      renew();
      const leftMs = faults.waitMs(kind) - (performance.now() - began);
      if (leftMs <= 0) return;
      Atomics.store(words, shared.waiting, 1);
      Atomics.wait(words, shared.changes, changes, Math.min(leftMs, 60_000));
      Atomics.store(words, shared.waiting, 0);
    }
  };

  const request = Buffer.alloc(requestBytesMax);
  const answerTo = (length: number): Buffer | null => {
    const unique = request.readBigUInt64LE(8);
    const offset = length >= headBytes + 24 ? Number(request.readBigUInt64LE(headBytes + 8)) : 0;
    const bytes = length >= headBytes + 24 ? request.readUInt32LE(headBytes + 16) : 0;
    const fails = (kind: 'read' | 'write' | 'flush') => {
      hold(kind);
      return faults.errorOf(kind, offset / sectorBytes, bytes / sectorBytes);
    };
    switch (request.readUInt32LE(4)) {
      case opcode.init:
        return answers.init(unique);
      case opcode.lookup: {
        const name = request.toString('latin1', headBytes, length - 1);
        return name === 'disk' ? answers.entry(unique) : answers.error(unique, errno.ENOENT);
      }
      case opcode.getattr:
      case opcode.setattr:
        return answers.attributes(unique, request.readBigUInt64LE(16));
      case opcode.open:
      case opcode.opendir:
        return answers.opened(unique);
      case opcode.read: {
        Atomics.add(words, shared.reads, 1);
        const code = fails('read');
        if (code) return answers.error(unique, errno[code]);
        return answers.data(unique, bytes, into => readSync(image, into, 0, into.length, offset));
      }
      case opcode.write: {
        Atomics.add(words, shared.writes, 1);
        const code = fails('write');
        if (code) return answers.error(unique, errno[code]);
        const written = request.subarray(headBytes + 40, headBytes + 40 + bytes);
        writeSync(image, written, 0, bytes, offset);
        log?.write(offset, written);
        if (log) Atomics.add(words, shared.position, 1);
        return answers.written(unique, bytes);
      }
      case opcode.fsync: {
        Atomics.add(words, shared.flushes, 1);
        const code = fails('flush');
        if (code) return answers.error(unique, errno[code]);
        if (log && !faults.dropsThisFlush()) {
          log.flush();
          Atomics.add(words, shared.position, 1);
        }
        return answers.empty(unique);
      }
      case opcode.flush:
      case opcode.release:
      case opcode.releasedir:
        return answers.empty(unique);
      case opcode.forget:
      case opcode.batchForget:
      case opcode.interrupt:
        return null;
      default:
        return answers.error(unique, errno.ENOSYS);
    }
  };

  for (;;) {
    let length: number;
    try {
      length = readSync(fuse, request);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EINTR' || code === 'EAGAIN' || code === 'ENOENT') continue;
      if (code === 'ENODEV') break; // Unmounted.
      throw error;
    }
    renew();
    const answer = answerTo(length);
    // ENOENT: who asked has gone away.
    if (answer)
      try {
        writeSync(fuse, answer);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
  }
  log?.close();
  data.faults.close();
}

serve(workerData as DiskThreadData);
