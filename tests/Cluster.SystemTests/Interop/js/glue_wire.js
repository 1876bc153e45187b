'use strict';
// Glue's wire format for stock @grpc/grpc-js programs, written from docs/formats/glue-wire.md; the service from glue.proto.
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');

const kinds = {
  call: 1, oneWay: 2, reply: 3, fault: 4, cancel: 5, ping: 6, pong: 7, hello: 8, welcome: 9, bind: 10, bound: 11, join: 13, joined: 14, leave: 15, chunk: 16,
  following: 23,
};
const named = 0x40;
const noSecret = Buffer.alloc(16);

// What the test knows of contract and messages; hexadecimal texts become bytes.
const loadFacts = (file) => JSON.parse(fs.readFileSync(file, 'utf8'), (key, value) => (
  typeof value === 'string' && key !== 'contract' && key !== 'formats' ? Buffer.from(value, 'hex') : value));

const loadService = (formats) => {
  const definition = protoLoader.loadSync(path.join(formats, 'glue.proto'), { includeDirs: [formats], bytes: Buffer });
  return grpc.loadPackageDefinition(definition).glue.v1.Glue;
};

const varint = (value) => {
  const out = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) out.push((value % 128) | 0x80);
  return Buffer.from([...out, value]);
};
const block = (bytes) => Buffer.concat([varint(bytes.length), bytes]);
const text = (value) => block(Buffer.from(value));
const nothing = Buffer.alloc(0);
const envelope = (kind, id = 0, body = nothing, method = nothing) => (
  Buffer.concat([Buffer.from([kind]), varint(id), method, block(body)]));
const request = (id, handle, body, kind = kinds.call) => (
  envelope(kind, id, body, Buffer.concat([varint(handle), varint(30000)])));
const namedRequest = (id, hashes, body, kind = kinds.call) => (
  envelope(kind | named, id, body, Buffer.concat([...hashes, varint(30000)])));
const batch = (envelopes, number = 0, received = 0) => (
  Buffer.concat([Buffer.from([1]), varint(number), varint(received), ...envelopes]));
const hello = ({ secret = noSecret, window = 0, lowest = 2, highest = 2 } = {}) => Buffer.concat([
  Buffer.from('GLUE'), varint(lowest), varint(highest), text('node'), Buffer.alloc(16), varint(2 ** 24), varint(1000),
  secret, varint(window)]);
const join = (secret, lane, received) => Buffer.concat([
  Buffer.from('GLUE'), varint(2), secret, Buffer.from([lane]), varint(received)]);
// All types have a Slim code, so none is described.
const manifest = (first, contract, methods) => Buffer.concat([
  varint(first), varint(1), text(contract), varint(0), varint(Object.keys(methods).length),
  ...Object.entries(methods).map(([name, one]) => Buffer.concat([
    text(name), varint(1), one.signature, one.layout, varint(0), varint(one.arguments), Buffer.alloc(one.arguments)]))]);
const applicationFault = (type, message) => Buffer.concat([
  Buffer.from([2]), varint(1), text(type), text(message), text('at node'), varint(0), block(nothing)]);
const chunkBytes = 60000;
// The envelope of a head and a large body in pieces, each for a batch of its own.
const chunks = (transfer, head, body) => [
  envelope(kinds.chunk, transfer, Buffer.concat([varint(body.length), head])),
  ...Array.from({ length: Math.ceil(body.length / chunkBytes) }, (_, i) => (
    envelope(kinds.chunk, transfer, body.subarray(i * chunkBytes, (i + 1) * chunkBytes))))];

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  get atEnd() { return this.at === this.bytes.length; }

  take(count) {
    assert.ok(this.at + count <= this.bytes.length, 'cut short');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  varint() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const [byte] = this.take(1);
      value += (byte % 128) * scale;
      if (byte < 0x80) return value;
    }
  }

  block() { return this.take(this.varint()); }

  text() { return this.block().toString(); }
}

const readEnvelope = (reader) => {
  const [first] = reader.take(1);
  const one = { kind: first & 0x1f, id: reader.varint() };
  if ([kinds.call, kinds.oneWay, kinds.following].includes(one.kind)) {
    one.method = first & named ? reader.take(24) : reader.varint();
    if (one.kind === kinds.following) {
      // What is served here runs in the order of its arrival, whatever line it belongs to.
      Object.assign(one, { kind: kinds.call, line: reader.varint() });
    }
    one.milliseconds = reader.varint();
  }
  if (first & 0x20) reader.block();
  one.body = reader.block();
  return one;
};
const readBatch = (payload) => {
  const reader = new Reader(payload);
  const [form] = reader.take(1);
  assert.ok(form === 1 || form === 2, 'batch form');
  const found = { number: reader.varint(), received: reader.varint(), envelopes: [] };
  found.age = form === 2 ? reader.varint() : 0;
  while (!reader.atEnd) found.envelopes.push(readEnvelope(reader));
  return found;
};
const readHello = (body) => {
  const reader = new Reader(body);
  assert.strictEqual(reader.take(4).toString(), 'GLUE');
  const found = { lowest: reader.varint(), highest: reader.varint(), node: reader.text(), incarnation: reader.take(16) };
  return {
    ...found, frameLimit: reader.varint(), calls: reader.varint(), secret: reader.take(16), window: reader.varint(),
  };
};
const readFault = (body) => {
  const reader = new Reader(body);
  const [kind] = reader.take(1);
  if (kind === 1) {
    return { kind, glueKind: reader.varint(), delivery: reader.varint(), code: reader.varint(), message: reader.text() };
  }
  if (kind === 3) return { kind, message: reader.text() };
  const chain = Array.from({ length: reader.varint() }, () => {
    const one = { type: reader.text(), message: reader.text(), stack: reader.text() };
    for (let left = reader.varint(); left > 0; left--) {
      reader.text();
      if (reader.take(1)[0] !== 0) reader.text();
    }
    return one;
  });
  return { kind, chain, graph: reader.block() };
};

// Puts large envelopes together whose chunks come on one lane.
class Transfers {
  constructor() { Object.assign(this, { open: new Map(), begun: 0 }); }

  // The envelope that the chunk completes, or null.
  take({ id, body }) {
    if (id > this.begun) {
      this.begun = id;
      const reader = new Reader(body);
      this.open.set(id, { length: reader.varint(), head: reader.bytes.subarray(reader.at), pieces: [] });
      return null;
    }
    const { length, head, pieces } = this.open.get(id);
    pieces.push(body);
    const whole = Buffer.concat(pieces);
    if (whole.length < length) return null;
    this.open.delete(id);
    return readEnvelope(new Reader(Buffer.concat([head, block(whole)])));
  }
}

module.exports = {
  kinds, noSecret, loadFacts, loadService, varint, text, envelope, request, namedRequest, batch, hello, join, manifest,
  applicationFault, chunkBytes, chunks, Transfers, Reader, readBatch, readHello, readFault,
};
