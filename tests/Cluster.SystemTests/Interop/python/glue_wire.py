"""Glue's wire format for stock grpcio programs, written from docs/formats/glue-wire.md; the service from glue.proto."""
import importlib
import json
import subprocess
import sys
import tempfile

import grpc

CALL, ONE_WAY, REPLY, FAULT, CANCEL, PING, PONG, HELLO, WELCOME, BIND, BOUND = range(1, 12)
JOIN, JOINED, LEAVE, CHUNK = 13, 14, 15, 16
FOLLOWING = 23
CHUNK_BYTES = 60_000
NAMED, HEADERS = 0x40, 0x20
CONTROL, CALLS = 0, 1
MAGIC = b"GLUE"
NO_SECRET = bytes(16)


def load_facts(path):
    """What the test knows of contract and messages; hexadecimal texts become bytes."""
    with open(path, encoding="utf-8") as file:
        facts = json.load(file)

    def decode(value):
        if isinstance(value, dict):
            return {key: inner if key in ("contract", "formats") else decode(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [decode(inner) for inner in value]
        return value if isinstance(value, int) else bytes.fromhex(value)

    return decode(facts)


class Service:
    """The methods of glue.proto by name, as protoc understands the published file."""

    def __init__(self, formats):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["protoc", "-I", formats, "--python_out", folder, "glue.proto"], check=True)
            sys.path.insert(0, folder)
            module = importlib.import_module("glue_pb2")
        self.descriptor = module.DESCRIPTOR.services_by_name["Glue"]
        self.message = module.google_dot_protobuf_dot_wrappers__pb2.BytesValue

    def stub(self, channel, name):
        """A callable for the method; the kind of call is not in Python's descriptors: Link streams both ways."""
        assert name in self.descriptor.methods_by_name, f"glue.proto has no {name}"
        kind = "stream_stream" if name == "Link" else "unary_unary"
        return getattr(channel, kind)(
            f"/{self.descriptor.full_name}/{name}",
            request_serializer=self.message.SerializeToString,
            response_deserializer=self.message.FromString)

    def handlers(self, behaviors):
        def handler(name, behavior):
            make = grpc.stream_stream_rpc_method_handler if name == "Link" else grpc.unary_unary_rpc_method_handler
            return make(behavior, request_deserializer=self.message.FromString,
                        response_serializer=self.message.SerializeToString)

        assert sorted(behaviors) == sorted(self.descriptor.methods_by_name)
        return grpc.method_handlers_generic_handler(
            self.descriptor.full_name, {name: handler(name, behavior) for name, behavior in behaviors.items()})


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def block(data):
    return varint(len(data)) + data


def text(value):
    return block(value.encode())


def envelope(kind, call_id=0, body=b"", method=b""):
    """One envelope; requests carry their method: see request."""
    return bytes([kind]) + varint(call_id) + method + block(body)


def request(call_id, handle, body, kind=CALL, milliseconds=30_000):
    return envelope(kind, call_id, body, varint(handle) + varint(milliseconds))


def named_request(call_id, hashes, body, kind=CALL, milliseconds=30_000):
    return envelope(kind | NAMED, call_id, body, b"".join(hashes) + varint(milliseconds))


def batch(*envelopes, number=0, received=0):
    return b"\x01" + varint(number) + varint(received) + b"".join(envelopes)


def hello(secret=NO_SECRET, window=0, lowest=2, highest=2):
    return (MAGIC + varint(lowest) + varint(highest) + text("python") + bytes(16) + varint(16 << 20) + varint(1000)
            + secret + varint(window))


def join(secret, lane, received):
    return MAGIC + varint(2) + secret + bytes([lane]) + varint(received)


def manifest(first, contract, methods):
    """All types have a Slim code, so none is described."""
    body = varint(first) + varint(1) + text(contract) + varint(0) + varint(len(methods))
    return body + b"".join(
        text(name) + varint(1) + one["signature"] + one["layout"] + varint(0) + varint(one["arguments"])
        + bytes(one["arguments"]) for name, one in methods.items())


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    @property
    def at_end(self):
        return self.at == len(self.data)

    def take(self, count):
        assert self.at + count <= len(self.data), "cut short"
        self.at += count
        return self.data[self.at - count:self.at]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def block(self):
        return self.take(self.varint())

    def text(self):
        return self.block().decode()


class Envelope:
    """One received envelope. The method is a handle, or three hashes in one."""

    def __init__(self, reader):
        first = reader.take(1)[0]
        self.kind, self.call_id, self.method = first & 0x1F, reader.varint(), None
        if self.kind in (CALL, ONE_WAY, FOLLOWING):
            self.method = reader.take(24) if first & NAMED else reader.varint()
            if self.kind == FOLLOWING:
                # What is served here runs in the order of its arrival, whatever line it belongs to.
                self.kind, self.line = CALL, reader.varint()
            self.milliseconds = reader.varint()
        self.headers = reader.block() if first & HEADERS else b""
        self.body = reader.block()


class Batch:
    def __init__(self, payload):
        reader = Reader(payload)
        form, = reader.take(1)
        assert form in (1, 2), "batch form"
        self.number, self.received = reader.varint(), reader.varint()
        self.age = reader.varint() if form == 2 else 0
        self.envelopes = []
        while not reader.at_end:
            self.envelopes.append(Envelope(reader))


class Hello:
    """The body of a Hello or Welcome."""

    def __init__(self, body):
        reader = Reader(body)
        assert reader.take(4) == MAGIC
        self.lowest, self.highest = reader.varint(), reader.varint()
        self.node, self.incarnation = reader.text(), reader.take(16)
        self.frame_limit, self.calls = reader.varint(), reader.varint()
        self.secret, self.window = reader.take(16), reader.varint()


class Fault:
    """The body of a Fault: kind 1 of Glue, 2 of the application, 3 cancelled."""

    def __init__(self, body):
        reader = Reader(body)
        self.kind = reader.take(1)[0]
        if self.kind == 1:
            self.glue_kind, self.delivery, self.code = reader.varint(), reader.varint(), reader.varint()
            self.message = reader.text()
        elif self.kind == 2:
            self.chain = [self.exception(reader) for _ in range(reader.varint())]
            self.graph = reader.block()
        else:
            self.message = reader.text()

    @staticmethod
    def exception(reader):
        found = reader.text(), reader.text(), reader.text()
        for _ in range(reader.varint()):
            reader.text()
            if reader.take(1) != b"\x00":
                reader.text()
        return found


class Transfers:
    """Puts large envelopes together whose chunks come on one lane."""

    def __init__(self):
        self.open, self.begun = {}, 0

    def take(self, chunk):
        """The envelope that the chunk completes, or None."""
        if chunk.call_id > self.begun:
            self.begun, reader = chunk.call_id, Reader(chunk.body)
            self.open[chunk.call_id] = [reader.varint(), reader.data[reader.at:], b""]
            return None
        one = self.open[chunk.call_id]
        one[2] += chunk.body
        length, head, body = one
        if len(body) < length:
            return None
        del self.open[chunk.call_id]
        return Envelope(Reader(head + block(body)))


def chunks(transfer, head, body):
    """The envelope of a head and a large body in pieces, each for a batch of its own."""
    yield envelope(CHUNK, transfer, varint(len(body)) + head)
    for start in range(0, len(body), CHUNK_BYTES):
        yield envelope(CHUNK, transfer, body[start:start + CHUNK_BYTES])


def application_fault(type_name, message):
    return bytes([2]) + varint(1) + text(type_name) + text(message) + text("at python") + varint(0) + block(b"")
