import { createHash } from 'node:crypto';

export const digestOf = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 12);

export const md5Of = (text: string): string => createHash('md5').update(text).digest('hex');
