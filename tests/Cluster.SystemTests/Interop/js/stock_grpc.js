'use strict';
// Exchanges Glue messages through stock @grpc/grpc-js; the wire format is docs/formats/glue-wire.md.
// <host:port> <contract hash> <signature hash> <fingerprint> <argument> <expected result>, all but the first in hexadecimal.
const assert = require('node:assert');
const grpc = require('@grpc/grpc-js');

const varint = (value) => {
  const out = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) out.push((value % 128) | 0x80);
  return Buffer.from([...out, value]);
};
const block = (bytes) => Buffer.concat([varint(bytes.length), bytes]);
// google.protobuf.BytesValue by hand: tag, length, bytes.
const wrap = (...envelopes) => {
  const payload = Buffer.concat([Buffer.from([1]), ...envelopes]);
  return Buffer.concat([Buffer.from([0x0a]), block(payload)]);
};
const readVarint = (bytes, at) => {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++];
    value += (byte % 128) * scale;
    if (byte < 0x80) return [value, at];
  }
};
const unwrap = (message) => {
  let [, at] = readVarint(message, 1);
  assert.strictEqual(message[at++], 1, 'batch version');
  const found = [];
  while (at < message.length) {
    const kind = message[at++];
    const [id, afterId] = readVarint(message, at);
    const [length, start] = readVarint(message, afterId);
    found.push({ kind, id, body: message.subarray(start, start + length) });
    at = start + length;
  }
  return found;
};

const [address, ...numbers] = process.argv.slice(2);
const [contract, signature, fingerprint, argument, expected] = numbers.map((number) => Buffer.from(number, 'hex'));
const named = (id) => Buffer.concat([
  Buffer.from([0x41]), varint(id), contract, signature, fingerprint, varint(5000), block(argument)]);
const same = (bytes) => bytes;
const client = new grpc.Client(address, grpc.credentials.createInsecure());
const hello = Buffer.concat([
  Buffer.from('GLUE'), varint(1), varint(1), block(Buffer.from('node')), Buffer.alloc(16), varint(1 << 20), varint(100)]);

const unary = () => new Promise((resolve, reject) => client.makeUnaryRequest(
  '/glue.v1.Glue/Call', same, same, wrap(named(5)), (error, answer) => (error ? reject(error) : resolve(answer))));

const link = () => new Promise((resolve, reject) => {
  const stream = client.makeBidiStreamRequest('/glue.v1.Glue/Link', same, same);
  const answers = [];
  stream.on('data', (message) => answers.push(...unwrap(message)));
  stream.on('error', reject);
  stream.on('end', () => resolve(answers));
  stream.write(wrap(Buffer.concat([Buffer.from([8, 0]), block(hello)])));
  stream.write(wrap(...Array.from({ length: 100 }, (_, i) => named(i + 1))));
  setTimeout(() => reject(new Error('no end within 20 s')), 20000).unref();
  const poll = setInterval(() => {
    if (answers.filter((answer) => answer.kind === 3).length < 100) return;
    clearInterval(poll);
    stream.end();
  }, 5);
  poll.unref();
});

(async () => {
  const [answer] = unwrap(await unary());
  assert.deepStrictEqual([answer.kind, answer.id, answer.body.toString('hex')], [3, 5, expected.toString('hex')]);
  const answers = await link();
  assert.strictEqual(answers[0].kind, 9, 'Welcome comes first');
  const replies = answers.filter((one) => one.kind === 3);
  assert.strictEqual(new Set(replies.map((one) => one.id)).size, 100);
  assert.ok(replies.every((one) => one.body.equals(expected)));
  client.close();
  console.log('ok');
})().catch((error) => { console.error(error); process.exit(1); });
