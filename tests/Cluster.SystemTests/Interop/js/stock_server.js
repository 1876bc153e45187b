'use strict';
// A stock @grpc/grpc-js server that answers Glue clients: stock_server.js <facts file> [--window ms] [--cut n] [--refuse status].
// Prints its port and serves until its standard input ends. It knows no Slim and answers with what the facts say, or with
// the arguments themselves.
const assert = require('node:assert');
const { parseArgs } = require('node:util');
const grpc = require('@grpc/grpc-js');
const wire = require('./glue_wire');

const { kinds } = wire;
const unknownMethod = 21;
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { window: { type: 'string', default: '0' }, cut: { type: 'string' }, refuse: { type: 'string' } },
});
const facts = wire.loadFacts(positionals[0]);
const Service = wire.loadService(facts.formats);
const handles = new Map();
const links = new Map();
const counts = { notes: 0, next: 0 };
const refusal = options.refuse && { code: grpc.status[options.refuse], details: 'refused by the test' };

// Batches received and sent on one lane; what the client has not received is sent again on its next stream.
class Lane {
  constructor() {
    Object.assign(this, { received: 0, number: 0, unconfirmed: new Map(), transfers: new wire.Transfers(), begun: 0 });
  }

  confirm(received) {
    for (const number of this.unconfirmed.keys()) if (number <= received) this.unconfirmed.delete(number);
  }

  compose(number) { return wire.batch(this.unconfirmed.get(number), number, this.received); }

  answer(envelopes) {
    this.unconfirmed.set(++this.number, envelopes);
    return this.compose(this.number);
  }

  answerLarge({ id, body }) {
    const head = Buffer.concat([Buffer.from([kinds.reply]), wire.varint(id)]);
    return wire.chunks(++this.begun, head, body).map((chunk) => this.answer([chunk]));
  }
}

const answerToCall = (one, name) => {
  switch (name) {
    case 'FailAsync': return wire.envelope(kinds.fault, one.id, wire.applicationFault('Stock.Failure', 'it failed'));
    case 'NextAsync': return wire.envelope(kinds.reply, one.id, facts.numbers[++counts.next]);
    case 'NotesAsync': return wire.envelope(kinds.reply, one.id, facts.numbers[counts.notes]);
    default: return wire.envelope(kinds.reply, one.id, one.body);
  }
};
const bound = ({ id, body }) => {
  const reader = new wire.Reader(body);
  const listOf = (read) => Array.from({ length: reader.varint() }, read);
  const [first, [contract], types] = [
    reader.varint(), listOf(() => reader.text()), listOf(() => reader.block())];
  assert.strictEqual(contract, facts.contract);
  const refusals = [];
  listOf((_, i) => {
    const [name, [signature], layout] = [reader.text(), listOf(() => reader.take(8)), reader.take(8)];
    assert.strictEqual(reader.varint(), 0, 'no method is generic');
    const described = listOf(() => reader.varint());
    assert.ok(described.every((index) => index <= types.length));
    assert.deepStrictEqual({ signature, layout, arguments: described.length }, facts.methods[name], name);
    handles.set(first + i, name);
    if (name === 'MissingAsync') {
      refusals.push(Buffer.concat([
        wire.varint(first + i), wire.varint(unknownMethod), wire.text('not here'), wire.varint(0)]));
    }
    return name;
  });
  return wire.envelope(kinds.bound, id, Buffer.concat([wire.varint(first), wire.varint(refusals.length), ...refusals]));
};
const answersTo = (one, name) => {
  switch (one.kind) {
    case kinds.bind: return [bound(one)];
    case kinds.ping: return [wire.envelope(kinds.pong, one.id)];
    case kinds.call: return [answerToCall(one, name)];
    case kinds.oneWay: counts.notes++; return [];
    default: return [];
  }
};
const nameByHash = (hashes) => {
  assert.deepStrictEqual(hashes.subarray(0, 8), facts.contractHash);
  return Object.keys(facts.methods).find((name) => (
    Buffer.concat([facts.methods[name].signature, facts.methods[name].layout]).equals(hashes.subarray(8))));
};

const handle = (lane, received) => {
  lane.confirm(received.received);
  if (received.envelopes.length === 0 || (received.number > 0 && received.number <= lane.received)) return [];
  assert.strictEqual(received.number, lane.received + 1, 'a batch is missing');
  lane.received = received.number;
  const whole = received.envelopes.map((one) => (one.kind === kinds.chunk ? lane.transfers.take(one) : one));
  const isLarge = (one) => one && one.body.length > wire.chunkBytes;
  const large = whole.filter(isLarge).flatMap((one) => lane.answerLarge(one));
  const answers = whole.filter((one) => one && !isLarge(one)).flatMap((one) => answersTo(one, handles.get(one.method)));
  return answers.length > 0 ? [...large, lane.answer(answers)] : large;
};

const open = (stream, [one]) => {
  const send = (payload) => stream.write({ value: payload });
  if (one.kind === kinds.hello) {
    const { secret } = wire.readHello(one.body);
    const lanes = [new Lane(), new Lane()];
    links.set(secret.toString('hex'), lanes);
    send(wire.batch([wire.envelope(kinds.welcome, 0, wire.hello({ secret, window: Number(options.window) }))]));
    return { lane: lanes[0], cutAfter: 0 };
  }
  const reader = new wire.Reader(one.body);
  assert.deepStrictEqual([reader.take(4).toString(), reader.varint()], ['GLUE', 2]);
  const lane = links.get(reader.take(16).toString('hex'))[reader.take(1)[0]];
  lane.confirm(reader.varint());
  send(wire.batch([wire.envelope(kinds.joined, 0, wire.varint(lane.received))]));
  [...lane.unconfirmed.keys()].forEach((number) => send(lane.compose(number)));
  return { lane, cutAfter: Number(options.cut ?? 0) };
};

const serveLink = (stream) => {
  if (refusal) {
    stream.emit('error', refusal);
    return;
  }
  let opened = null;
  let seen = 0;
  let isCut = false;
  stream.on('data', ({ value }) => {
    const received = wire.readBatch(value);
    if (isCut) return;
    if (!opened) {
      opened = open(stream, received.envelopes);
      return;
    }
    const answers = handle(opened.lane, received);
    isCut = ++seen === opened.cutAfter;
    if (isCut) stream.emit('error', { code: grpc.status.INTERNAL, details: 'cut by the test' });
    else answers.forEach((answer) => stream.write({ value: answer }));
  });
  stream.on('end', () => stream.end());
};
const serveCall = ({ request }, done) => {
  if (refusal) {
    done(refusal);
    return;
  }
  const [one] = wire.readBatch(request.value).envelopes;
  done(null, { value: wire.batch(answersTo(one, nameByHash(one.method))) });
};

const server = new grpc.Server({ 'grpc.max_receive_message_length': 2 ** 25 });
server.addService(Service.service, { Link: serveLink, Call: serveCall });
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});
process.stdin.on('end', () => process.exit(0)).resume();
