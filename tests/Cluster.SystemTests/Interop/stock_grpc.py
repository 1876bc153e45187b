"""Exchanges Glue messages with stock grpcio; the wire format is docs/formats/glue-wire.md.

client <host:port> <contract> <method> <contract hash> <signature hash> <fingerprint> <argument> <expected result>
server: prints its port and serves until its standard input ends; answers each call with its own arguments.
Hashes, argument and result are hexadecimal. Exits with 0 when every expectation held.
"""
import sys
from concurrent import futures

import grpc
from google.protobuf.wrappers_pb2 import BytesValue

CALL, ONE_WAY, REPLY, FAULT, PING, PONG, HELLO, WELCOME, BIND, BOUND = 1, 2, 3, 4, 6, 7, 8, 9, 10, 11


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def text(value):
    return varint(len(value.encode())) + value.encode()


def envelope(kind, call_id, body=b"", request=b""):
    return bytes([kind]) + varint(call_id) + request + varint(len(body)) + body


def batch(*envelopes):
    return BytesValue(value=b"\x01" + b"".join(envelopes))


def hello():
    return b"GLUE" + varint(1) + varint(1) + text("python") + bytes(16) + varint(1 << 20) + varint(100)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

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


def envelopes(message):
    reader = Reader(message.value)
    assert reader.take(1) == b"\x01", "batch version"
    while reader.at < len(reader.data):
        first = reader.take(1)[0]
        kind, call_id = first & 0x1F, reader.varint()
        method = None
        if kind in (CALL, ONE_WAY):
            method = reader.take(24) if first & 0x40 else reader.varint()
            reader.varint()
        if first & 0x20:
            reader.block()
        yield kind, call_id, method, reader.block()


def stub(channel, kind, name):
    return getattr(channel, kind)(
        "/glue.v1.Glue/" + name,
        request_serializer=BytesValue.SerializeToString,
        response_deserializer=BytesValue.FromString)


def run_client(address, contract, method, *numbers):
    contract_hash, signature, fingerprint, argument, expected = (bytes.fromhex(number) for number in numbers)
    with grpc.insecure_channel(address) as channel:
        named = bytes([CALL | 0x40]) + varint(5) + contract_hash + signature + fingerprint + varint(5000)
        answer = stub(channel, "unary_unary", "Call")(
            batch(named + varint(len(argument)) + argument), timeout=10)
        assert list(envelopes(answer)) == [(REPLY, 5, None, expected)], answer
        manifest = varint(0) + text(contract) + varint(1) + text(method) + signature + fingerprint
        requests = [envelope(CALL, number, argument, varint(0) + varint(5000)) for number in range(1, 101)]

        def send():
            yield batch(envelope(HELLO, 0, hello()))
            yield batch(envelope(BIND, 0, manifest), *requests, envelope(PING, 77))

        answers = {}
        for message in stub(channel, "stream_stream", "Link")(send(), timeout=20):
            for kind, call_id, _, body in envelopes(message):
                answers[kind, call_id] = body
        assert (WELCOME, 0) in answers and (PONG, 77) in answers, answers.keys()
        assert answers[BOUND, 0] == b"\x00\x00", answers[BOUND, 0]
        assert all(answers.get((REPLY, number)) == expected for number in range(1, 101)), answers.keys()
        check_refusals(channel)
    print("ok")


def check_refusals(channel):
    try:
        list(stub(channel, "stream_stream", "Link")(iter([BytesValue(value=b"\x09")]), timeout=10))
        raise AssertionError("garbage was accepted")
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.INVALID_ARGUMENT, error
        assert "batch version" in error.details(), error
    try:
        stub(channel, "unary_unary", "Nothing")(BytesValue(), timeout=10)
        raise AssertionError("an unknown method was accepted")
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.UNIMPLEMENTED, error


def answers_to(message):
    for kind, call_id, _, body in envelopes(message):
        if kind == HELLO:
            yield envelope(WELCOME, 0, hello())
        elif kind == BIND:
            yield envelope(BOUND, 0, varint(Reader(body).varint()) + varint(0))
        elif kind == PING:
            yield envelope(PONG, call_id)
        elif kind == CALL:
            yield envelope(REPLY, call_id, body)


def serve_link(requests, context):
    for message in requests:
        answers = list(answers_to(message))
        if answers:
            yield batch(*answers)


def run_server():
    def handler(make, behavior):
        return make(behavior, request_deserializer=BytesValue.FromString,
                    response_serializer=BytesValue.SerializeToString)

    server = grpc.server(futures.ThreadPoolExecutor(8))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("glue.v1.Glue", {
        "Link": handler(grpc.stream_stream_rpc_method_handler, serve_link),
        "Call": handler(grpc.unary_unary_rpc_method_handler, lambda message, _: batch(*answers_to(message))),
    }),))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    server.start()
    sys.stdin.read()
    server.stop(0)


if __name__ == "__main__":
    run_client(*sys.argv[2:]) if sys.argv[1] == "client" else run_server()
