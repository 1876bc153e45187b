'use strict';
// A stock @grpc/grpc-js client of a Glue server: stock_client.js <mode> <host:port> <facts file> [gzip]; exits with 0
// when all held.
const assert = require('node:assert');
const grpc = require('@grpc/grpc-js');
const wire = require('./glue_wire');

const { kinds } = wire;
const codes = { unknownContract: 20, unknownMethod: 21, resultTooLarge: 31 };
const deliveries = { notDelivered: 1, executed: 3 };
const [mode, target, file, compression] = process.argv.slice(2);
const facts = wire.loadFacts(file);
const names = Object.keys(facts.methods);
const Service = wire.loadService(facts.formats);
const client = new Service(target, grpc.credentials.createInsecure(), {
  'grpc.max_receive_message_length': 2 ** 25,
  'grpc.default_compression_algorithm': grpc.compressionAlgorithms[compression ?? 'identity'],
});
const deadline = () => ({ deadline: Date.now() + 60000 });

const handleOf = (name) => names.indexOf(name);
const hashesOf = (name) => [facts.contractHash, facts.methods[name].signature, facts.methods[name].layout];
const bind = () => wire.envelope(kinds.bind, 0, wire.manifest(0, facts.contract, facts.methods));

const unary = (payload, metadata = {}) => new Promise((resolve, reject) => {
  const headers = new grpc.Metadata();
  Object.entries(metadata).forEach(([name, value]) => headers.set(name, value));
  client.Call({ value: payload }, headers, deadline(), (error, answer) => (
    error ? reject(error) : resolve(wire.readBatch(answer.value).envelopes)));
});
const call = async (name, body) => {
  const answers = await unary(wire.batch([wire.namedRequest(5, hashesOf(name), body)]));
  assert.deepStrictEqual(answers.map((one) => one.id), [5]);
  return answers[0];
};

// One open Link stream: sends when told to, receives one batch after the other.
class Stream {
  constructor(...payloads) {
    this.batches = [];
    this.end = null;
    this.wake = () => {};
    this.call = client.Link(deadline());
    this.call.on('data', (message) => this.note(() => this.batches.push(wire.readBatch(message.value))));
    this.call.on('error', (error) => this.note(() => { this.end = error; }));
    this.call.on('end', () => this.note(() => { this.end ??= 'ended'; }));
    payloads.forEach((payload) => this.send(payload));
  }

  note(happened) {
    happened();
    this.wake();
  }

  send(payload) { this.call.write({ value: payload }); }

  // The next batch; null at the end of the stream, thrown when its status is not OK.
  async receive() {
    while (this.batches.length === 0 && !this.end) await new Promise((resolve) => { this.wake = resolve; });
    if (this.batches.length > 0) return this.batches.shift();
    // A status follows the end of the data.
    await new Promise((resolve) => { setImmediate(resolve); });
    if (this.end !== 'ended') throw this.end;
    return null;
  }

  async finish() {
    this.call.end();
    const rest = [];
    for (let one = await this.receive(); one; one = await this.receive()) rest.push(one);
    return rest;
  }

  cut() { this.call.cancel(); }
}

const expect = async (code, details, act) => {
  await assert.rejects(act, (error) => (code === null || error.code === code) && error.message.includes(details));
};
const checkFault = (answer, code, delivery) => {
  assert.strictEqual(answer.kind, kinds.fault);
  const fault = wire.readFault(answer.body);
  assert.deepStrictEqual([fault.kind, fault.code, fault.delivery], [1, code, delivery]);
};
const awaitNotes = async (count) => {
  // One-way calls and cancelled ones run by themselves.
  const end = Date.now() + 60000;
  for (;;) {
    const { body } = await call('NotesAsync', Buffer.alloc(0));
    if (body.equals(facts.numbers[count])) return;
    assert.ok(Date.now() < end, `${body.toString('hex')} instead of ${facts.numbers[count].toString('hex')}`);
  }
};

const checkUnary = async () => {
  assert.deepStrictEqual((await call('DoubleAsync', facts.numbers[21])).body, facts.numbers[42]);
  assert.ok((await call('EchoAsync', facts.bytes)).body.equals(facts.bytes));
  const { kind, chain } = wire.readFault((await call('FailAsync', facts.text)).body);
  assert.deepStrictEqual([kind, chain[0].type, chain[0].message], [2, 'System.InvalidOperationException', 'it failed']);
  checkFault(await call('NothingAsync', Buffer.alloc(0)), codes.unknownMethod, deliveries.notDelivered);
  const strange = wire.namedRequest(6, [Buffer.alloc(24)], Buffer.alloc(0));
  checkFault((await unary(wire.batch([strange])))[0], codes.unknownContract, deliveries.notDelivered);
  const large = wire.batch([wire.namedRequest(7, hashesOf('EchoAsync'), facts.bytes)]);
  checkFault((await unary(large, { 'glue-message-bytes-max': '4096' }))[0], codes.resultTooLarge, deliveries.executed);
  const note = wire.namedRequest(0, hashesOf('NoteAsync'), facts.numbers[1], kinds.oneWay);
  assert.deepStrictEqual(await unary(wire.batch([note])), []);
  await awaitNotes(1);
};

const checkLink = async () => {
  const stream = new Stream(wire.batch([wire.envelope(kinds.hello, 0, wire.hello())]));
  const [first] = (await stream.receive()).envelopes;
  const welcome = wire.readHello(first.body);
  assert.deepStrictEqual([first.kind, welcome.lowest, welcome.highest], [kinds.welcome, 2, 2]);
  assert.ok(welcome.secret.equals(wire.noSecret));
  const double = handleOf('DoubleAsync');
  const doubles = (from, count) => Array.from({ length: count }, (_, i) => (
    wire.request(from + i, double, facts.numbers[1 + i])));
  stream.send(wire.batch([bind(), wire.envelope(kinds.ping, 77), ...doubles(1, 100)]));
  doubles(101, 50).forEach((one) => stream.send(wire.batch([one])));
  const head = Buffer.concat([
    Buffer.from([kinds.call]), wire.varint(200), wire.varint(handleOf('EchoAsync')), wire.varint(30000)]);
  wire.chunks(1, head, facts.bytes).forEach((chunk) => stream.send(wire.batch([chunk])));
  stream.send(wire.batch([
    wire.request(201, handleOf('FailAsync'), facts.text),
    wire.request(202, handleOf('NothingAsync'), Buffer.alloc(0)),
    wire.namedRequest(203, hashesOf('DoubleAsync'), facts.numbers[4]),
    wire.request(0, handleOf('NoteAsync'), facts.numbers[1], kinds.oneWay),
    wire.request(204, handleOf('WaitAsync'), Buffer.alloc(0))]));
  // One by the one-way call, one by the method that has begun to wait, one when it has seen its cancellation.
  await awaitNotes(2);
  stream.send(wire.batch([wire.envelope(kinds.cancel, 204)]));
  await awaitNotes(3);
  const answers = new Map();
  const transfers = new wire.Transfers();
  const note = (received) => received.envelopes.forEach((part) => {
    const one = part.kind === kinds.chunk ? transfers.take(part) : part;
    if (!one) return;
    assert.ok(!answers.has(`${one.kind} ${one.id}`), 'answered twice');
    answers.set(`${one.kind} ${one.id}`, one);
  });
  while (answers.size < 156) note(await stream.receive());
  (await stream.finish()).forEach(note);
  const reader = new wire.Reader(answers.get(`${kinds.bound} 0`).body);
  assert.deepStrictEqual(
    [reader.varint(), reader.varint(), reader.varint(), reader.varint()],
    [0, 1, handleOf('NothingAsync'), codes.unknownMethod]);
  assert.ok(answers.has(`${kinds.pong} 77`));
  const reply = (id) => answers.get(`${kinds.reply} ${id}`).body;
  for (let i = 1; i <= 150; i++) assert.deepStrictEqual(reply(i), facts.numbers[2 * (i <= 100 ? i : i - 100)]);
  assert.ok(reply(200).equals(facts.bytes));
  assert.strictEqual(wire.readFault(answers.get(`${kinds.fault} 201`).body).chain[0].message, 'it failed');
  checkFault(answers.get(`${kinds.fault} 202`), codes.unknownMethod, deliveries.notDelivered);
  assert.deepStrictEqual(reply(203), facts.numbers[8]);
};

// A numbered sequence of batches each way that outlives its streams.
class Lane {
  constructor(secret) {
    Object.assign(this, { secret, sent: [], received: 0, replies: new Map() });
  }

  async join() {
    this.stream = new Stream(wire.batch([wire.envelope(kinds.join, 0, wire.join(this.secret, 1, this.received))]));
    const [first] = (await this.stream.receive()).envelopes;
    assert.strictEqual(first.kind, kinds.joined);
    for (let at = new wire.Reader(first.body).varint(); at < this.sent.length; at++) this.transmit(at + 1);
  }

  send(...envelopes) {
    this.sent.push(envelopes);
    this.transmit(this.sent.length);
  }

  transmit(number) { this.stream.send(wire.batch(this.sent[number - 1], number, this.received)); }

  async awaitReplies(count) {
    while (this.replies.size < count) {
      const one = await this.stream.receive();
      if (one.number <= this.received) continue;
      assert.strictEqual(one.number, this.received + 1, 'a batch is missing');
      this.received = one.number;
      for (const answer of one.envelopes.filter(({ kind }) => kind === kinds.reply)) {
        assert.ok(!this.replies.has(answer.id), 'answered twice');
        this.replies.set(answer.id, answer.body.toString('hex'));
      }
    }
  }
}

const checkResume = async () => {
  const secret = Buffer.from(Array.from({ length: 16 }, (_, i) => i + 1));
  const control = new Stream(wire.batch([wire.envelope(kinds.hello, 0, wire.hello({ secret, window: 60000 }))]));
  const welcome = wire.readHello((await control.receive()).envelopes[0].body);
  assert.ok(welcome.secret.equals(secret) && welcome.window > 0);
  const lane = new Lane(secret);
  await lane.join();
  lane.send(bind());
  let id = 0;
  for (let round = 0; round < 12; round++) {
    lane.send(...Array.from({ length: 5 }, () => wire.request(++id, handleOf('NextAsync'), Buffer.alloc(0))));
    if (round % 3 === 0) lane.transmit(lane.sent.length);
    if (round % 2 === 0) await lane.awaitReplies(id);
    lane.stream.cut();
    await lane.join();
  }
  await lane.awaitReplies(id);
  const expected = Array.from({ length: id }, (_, i) => facts.numbers[i + 1].toString('hex'));
  assert.deepStrictEqual([...lane.replies.values()].sort(), expected.sort());
  // A number that is missing ends the stream, not the link.
  const late = wire.request(999, handleOf('NextAsync'), Buffer.alloc(0));
  lane.stream.send(wire.batch([late], lane.sent.length + 2, lane.received));
  await expect(null, '', async () => { while (await lane.stream.receive()); });
  await lane.join();
  lane.send(wire.request(id + 1, handleOf('NextAsync'), Buffer.alloc(0)));
  await lane.awaitReplies(id + 1);
  control.send(wire.batch([wire.envelope(kinds.leave)], 1));
  await control.finish();
  lane.stream.cut();
  await expect(grpc.status.NOT_FOUND, 'no such link', () => lane.join());
};

const checkRefusals = async () => {
  const greeting = wire.batch([wire.envelope(kinds.hello, 0, wire.hello())]);
  const opened = (...payloads) => () => new Stream(...payloads).finish();
  const opening = (kind, body) => opened(wire.batch([wire.envelope(kind, 0, body)]));
  const { INVALID_ARGUMENT, FAILED_PRECONDITION, NOT_FOUND, UNIMPLEMENTED } = grpc.status;
  await expect(INVALID_ARGUMENT, 'batch form', opened(Buffer.from([9])));
  await expect(INVALID_ARGUMENT, 'instead of Hello', opening(kinds.ping));
  await expect(INVALID_ARGUMENT, 'announced', opened(Buffer.alloc(70000)));
  await expect(FAILED_PRECONDITION, '7 to 9', opening(kinds.hello, wire.hello({ lowest: 7, highest: 9 })));
  await expect(NOT_FOUND, 'no such link', opening(kinds.join, wire.join(Buffer.alloc(16, 0x55), 1, 0)));
  await expect(INVALID_ARGUMENT, 'envelope kind', opened(greeting, wire.batch([wire.envelope(31)])));
  await expect(
    INVALID_ARGUMENT, 'Welcome is not expected', opened(greeting, wire.batch([wire.envelope(kinds.welcome)])));
  await expect(INVALID_ARGUMENT, 'unary call', () => unary(wire.batch([wire.envelope(kinds.ping)])));
  // Answered in the headers alone: no message and no trailers follow.
  const same = (bytes) => bytes;
  await expect(UNIMPLEMENTED, 'Method is unimplemented', () => new Promise((resolve, reject) => {
    client.makeUnaryRequest('/glue.v1.Glue/Nothing', same, same, Buffer.alloc(0), deadline(), (error, answer) => (
      error ? reject(error) : resolve(answer)));
  }));
};

const checks = { unary: checkUnary, link: checkLink, resume: checkResume, refusals: checkRefusals };
checks[mode]().then(() => {
  client.close();
  console.log('ok');
}).catch((error) => {
  console.error(error);
  process.exit(1);
});
