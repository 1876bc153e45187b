"""A stock grpcio client of a Glue server: stock_client.py <mode> <host:port> <facts file> [gzip]; exits with 0 when all
held."""
import os
import queue
import sys
import time
import traceback

import grpc

import glue_wire as wire

REFUSED_UNKNOWN_CONTRACT, REFUSED_UNKNOWN_METHOD, RESULT_TOO_LARGE = 20, 21, 31
NOT_DELIVERED, EXECUTED = 1, 3
BOUND_SECONDS = 60


class Stream:
    """One open Link stream: sends when told to, receives one batch after the other."""

    def __init__(self, service, channel, *first):
        self.service, self.outgoing = service, queue.Queue()
        for payload in first:
            self.send(payload)
        self.call = service.stub(channel, "Link")(iter(self.outgoing.get, None), timeout=BOUND_SECONDS)

    def send(self, payload):
        self.outgoing.put(self.service.message(value=payload))

    def receive(self):
        return wire.Batch(next(self.call).value)

    def finish(self):
        """Ends this half and gives what still comes, to the OK at the end."""
        self.outgoing.put(None)
        return [wire.Batch(message.value) for message in self.call]

    def cut(self):
        self.call.cancel()
        self.outgoing.put(None)


class Client:
    def __init__(self, target, facts, compression):
        self.facts = facts
        self.service = wire.Service(facts["formats"])
        self.channel = grpc.insecure_channel(
            target, options=[("grpc.max_receive_message_length", 32 << 20)],
            compression=grpc.Compression.Gzip if compression else grpc.Compression.NoCompression)
        self.methods = facts["methods"]
        self.names = list(self.methods)

    def number(self, value):
        return self.facts["numbers"][value]

    def handle(self, name):
        return self.names.index(name)

    def hashes(self, name):
        one = self.methods[name]
        return [self.facts["contractHash"], one["signature"], one["layout"]]

    def unary(self, payload, **arguments):
        answer = self.service.stub(self.channel, "Call")(
            self.service.message(value=payload), timeout=BOUND_SECONDS, **arguments)
        return wire.Batch(answer.value).envelopes

    def call(self, name, body, call_id=5):
        one, = self.unary(wire.batch(wire.named_request(call_id, self.hashes(name), body)))
        assert one.call_id == call_id, one.call_id
        return one

    def bind(self):
        return wire.envelope(wire.BIND, body=wire.manifest(0, self.facts["contract"], self.methods))


def check_unary(client):
    facts = client.facts
    answer = client.call("DoubleAsync", client.number(21))
    assert (answer.kind, answer.body) == (wire.REPLY, client.number(42))
    answer = client.call("EchoAsync", facts["bytes"])
    assert (answer.kind, answer.body) == (wire.REPLY, facts["bytes"])
    fault = wire.Fault(client.call("FailAsync", facts["text"]).body)
    assert fault.kind == 2 and fault.chain[0][:2] == ("System.InvalidOperationException", "it failed"), fault.chain
    check_fault(client.call("NothingAsync", b""), REFUSED_UNKNOWN_METHOD, NOT_DELIVERED)
    one, = client.unary(wire.batch(wire.named_request(6, [bytes(8)] * 3, b"")))
    check_fault(one, REFUSED_UNKNOWN_CONTRACT, NOT_DELIVERED)
    small, = client.unary(
        wire.batch(wire.named_request(7, client.hashes("EchoAsync"), facts["bytes"])),
        metadata=[("glue-message-bytes-max", "4096")])
    check_fault(small, RESULT_TOO_LARGE, EXECUTED)
    note = wire.named_request(0, client.hashes("NoteAsync"), client.number(1), kind=wire.ONE_WAY)
    assert client.unary(wire.batch(note)) == []
    await_notes(client, 1)


def await_notes(client, count):
    """One-way calls and cancelled ones run by themselves."""
    end = time.monotonic() + BOUND_SECONDS
    while (found := client.call("NotesAsync", b"").body) != client.number(count):
        assert time.monotonic() < end, f"{found} instead of {client.number(count)}"


def check_fault(answer, code, delivery):
    assert answer.kind == wire.FAULT, answer.kind
    fault = wire.Fault(answer.body)
    assert (fault.kind, fault.code, fault.delivery) == (1, code, delivery), vars(fault)


def check_link(client):
    facts = client.facts
    stream = Stream(client.service, client.channel, wire.batch(wire.envelope(wire.HELLO, body=wire.hello())))
    first, = stream.receive().envelopes
    welcome = wire.Hello(first.body)
    assert first.kind == wire.WELCOME and (welcome.lowest, welcome.highest) == (2, 2)
    assert welcome.secret == wire.NO_SECRET
    double = client.handle("DoubleAsync")
    stream.send(wire.batch(
        client.bind(), wire.envelope(wire.PING, 77), *[wire.request(i, double, client.number(i)) for i in range(1, 101)]))
    for i in range(101, 151):
        stream.send(wire.batch(wire.request(i, double, client.number(i - 100))))
    head = bytes([wire.CALL]) + wire.varint(200) + wire.varint(client.handle("EchoAsync")) + wire.varint(30_000)
    for chunk in wire.chunks(1, head, facts["bytes"]):
        stream.send(wire.batch(chunk))
    stream.send(wire.batch(
        wire.request(201, client.handle("FailAsync"), facts["text"]),
        wire.request(202, client.handle("NothingAsync"), b""),
        wire.named_request(203, client.hashes("DoubleAsync"), client.number(4)),
        wire.request(0, client.handle("NoteAsync"), client.number(1), kind=wire.ONE_WAY),
        wire.request(204, client.handle("WaitAsync"), b"")))
    # One by the one-way call, one by the method that has begun to wait, one when it has seen its cancellation.
    await_notes(client, 2)
    stream.send(wire.batch(wire.envelope(wire.CANCEL, 204)))
    await_notes(client, 3)
    answers, transfers = {}, wire.Transfers()
    while len(answers) < 156:
        note(answers, transfers, stream.receive())
    for batch in stream.finish():
        note(answers, transfers, batch)
    handle, = read_refusals(answers[wire.BOUND, 0].body)
    assert handle == client.handle("NothingAsync"), handle
    assert (wire.PONG, 77) in answers
    for i in range(1, 151):
        assert answers[wire.REPLY, i].body == client.number(2 * i if i < 101 else 2 * (i - 100)), i
    assert answers[wire.REPLY, 200].body == facts["bytes"]
    assert wire.Fault(answers[wire.FAULT, 201].body).chain[0][1] == "it failed"
    check_fault(answers[wire.FAULT, 202], REFUSED_UNKNOWN_METHOD, NOT_DELIVERED)
    assert answers[wire.REPLY, 203].body == client.number(8)


def note(answers, transfers, batch):
    for one in batch.envelopes:
        one = transfers.take(one) if one.kind == wire.CHUNK else one
        if one is None:
            continue
        assert (one.kind, one.call_id) not in answers or one.kind == wire.PING, "answered twice"
        answers[one.kind, one.call_id] = one


def read_refusals(body):
    reader = wire.Reader(body)
    assert reader.varint() == 0
    for _ in range(reader.varint()):
        handle, code = reader.varint(), reader.varint()
        assert code == REFUSED_UNKNOWN_METHOD and "NothingAsync" in reader.text() and not reader.block()
        yield handle


class Lane:
    """A numbered sequence of batches each way that outlives its streams."""

    def __init__(self, client, secret):
        self.client, self.secret = client, secret
        self.sent, self.received, self.replies = [], 0, {}
        self.stream = None

    def join(self):
        joining = wire.envelope(wire.JOIN, body=wire.join(self.secret, wire.CALLS, self.received))
        self.stream = Stream(self.client.service, self.client.channel, wire.batch(joining))
        first, = self.stream.receive().envelopes
        assert first.kind == wire.JOINED, first.kind
        for number in range(wire.Reader(first.body).varint(), len(self.sent)):
            self.transmit(number + 1)

    def send(self, *envelopes):
        self.sent.append(envelopes)
        self.transmit(len(self.sent))

    def transmit(self, number):
        self.stream.send(wire.batch(*self.sent[number - 1], number=number, received=self.received))

    def receive(self):
        batch = self.stream.receive()
        if batch.number == 0 or batch.number <= self.received:
            return
        assert batch.number == self.received + 1, "a batch is missing"
        self.received = batch.number
        for one in batch.envelopes:
            if one.kind == wire.REPLY:
                assert one.call_id not in self.replies, "answered twice"
                self.replies[one.call_id] = one.body

    def await_replies(self, count):
        while len(self.replies) < count:
            self.receive()


def check_resume(client):
    secret = bytes(range(1, 17))
    opening = wire.batch(wire.envelope(wire.HELLO, body=wire.hello(secret, 60_000)))
    control = Stream(client.service, client.channel, opening)
    welcome = wire.Hello(control.receive().envelopes[0].body)
    assert welcome.secret == secret and welcome.window > 0
    lane = Lane(client, secret)
    lane.join()
    lane.send(client.bind())
    next_handle, call_id = client.handle("NextAsync"), 0
    for round_number in range(12):
        calls = [wire.request(call_id + i, next_handle, b"") for i in range(1, 6)]
        call_id += len(calls)
        lane.send(*calls)
        if round_number % 3 == 0:
            lane.transmit(len(lane.sent))
        if round_number % 2 == 0:
            lane.await_replies(call_id)
        lane.stream.cut()
        lane.join()
    lane.await_replies(call_id)
    assert sorted(lane.replies.values()) == sorted(client.number(i) for i in range(1, call_id + 1))
    # A number that is missing ends the stream, not the link.
    lane.stream.send(wire.batch(
        wire.request(999, next_handle, b""), number=len(lane.sent) + 2, received=lane.received))
    expect(None, "", lambda: [lane.stream.receive() for _ in range(100)])
    lane.join()
    lane.send(wire.request(call_id + 1, next_handle, b""))
    lane.await_replies(call_id + 1)
    control.send(wire.batch(wire.envelope(wire.LEAVE), number=1))
    control.finish()
    lane.stream.cut()
    expect(grpc.StatusCode.NOT_FOUND, "no such link", lane.join)


def check_refusals(client):
    def opened(payload):
        return lambda: Stream(client.service, client.channel, payload).finish()

    def greeted(payload):
        opening = wire.batch(wire.envelope(wire.HELLO, body=wire.hello()))
        return lambda: Stream(client.service, client.channel, opening, payload).finish()

    invalid = grpc.StatusCode.INVALID_ARGUMENT
    expect(invalid, "batch form", opened(b"\x09"))
    expect(invalid, "instead of Hello", opened(wire.batch(wire.envelope(wire.PING))))
    expect(invalid, "announced", opened(bytes(70_000)))
    expect(grpc.StatusCode.FAILED_PRECONDITION, "7 to 9",
           opened(wire.batch(wire.envelope(wire.HELLO, body=wire.hello(lowest=7, highest=9)))))
    expect(grpc.StatusCode.NOT_FOUND, "no such link",
           opened(wire.batch(wire.envelope(wire.JOIN, body=wire.join(b"\x55" * 16, wire.CALLS, 0)))))
    expect(invalid, "envelope kind", greeted(wire.batch(wire.envelope(31))))
    expect(invalid, "Welcome is not expected", greeted(wire.batch(wire.envelope(wire.WELCOME))))
    expect(invalid, "unary call", lambda: client.unary(wire.batch(wire.envelope(wire.PING))))
    expect(grpc.StatusCode.UNIMPLEMENTED, "'deflate'",
           lambda: client.unary(wire.batch(wire.envelope(wire.PING)), compression=grpc.Compression.Deflate))
    # Answered in the headers alone: no message and no trailers follow.
    nothing = client.channel.unary_unary("/glue.v1.Glue/Nothing")
    expect(grpc.StatusCode.UNIMPLEMENTED, "Method is unimplemented", lambda: nothing(b"", timeout=BOUND_SECONDS))


def expect(code, details, act):
    try:
        act()
    except grpc.RpcError as error:
        assert code in (None, error.code()) and details in error.details(), error
        return
    except StopIteration:
        pass
    raise AssertionError(f"expected {code} {details}")


if __name__ == "__main__":
    mode, address, path, *compression = sys.argv[1:]
    tested = Client(address, wire.load_facts(path), compression)
    try:
        {"unary": check_unary, "link": check_link, "resume": check_resume, "refusals": check_refusals}[mode](tested)
        print("ok", flush=True)
    except BaseException:
        traceback.print_exc()
        # Streams that nobody has ended would hold the process up.
        os._exit(1)
    tested.channel.close()
