/**
 * What `node:https` itself can do: reads the body, parses the JSON, stores nothing, and answers as
 * a push is answered.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [port, cert, key] = process.argv.slice(2);
const answer = JSON.stringify({ code: 0, msg: 'ok' });

createServer({ cert: readFileSync(cert!), key: readFileSync(key!), noDelay: true }, (request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    JSON.parse(Buffer.concat(parts).toString('utf8'));
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length }).end(answer);
  });
}).listen(Number(port), '127.0.0.1');
