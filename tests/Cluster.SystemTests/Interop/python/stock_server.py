"""A stock grpcio server that answers Glue clients: stock_server.py <facts file> [--window ms] [--cut n] [--refuse status].

Prints its port and serves until its standard input ends. Doubling and echoing are not its business: it knows no Slim and
answers with what the facts say, or with the arguments themselves.
"""
import argparse
import sys
import threading
from concurrent import futures

import grpc

import glue_wire as wire

UNKNOWN_METHOD = 21


class Lane:
    """Batches received and sent on one lane; what the client has not received is sent again on its next stream."""

    def __init__(self):
        self.received, self.number, self.unconfirmed = 0, 0, {}
        self.transfers, self.begun = wire.Transfers(), 0

    def confirm(self, received):
        for number in [one for one in self.unconfirmed if one <= received]:
            del self.unconfirmed[number]

    def answer(self, *envelopes):
        self.number += 1
        self.unconfirmed[self.number] = envelopes
        return self.compose(self.number)

    def answer_large(self, call_id, body):
        self.begun += 1
        for chunk in wire.chunks(self.begun, bytes([wire.REPLY]) + wire.varint(call_id), body):
            yield self.answer(chunk)

    def compose(self, number):
        return wire.batch(*self.unconfirmed[number], number=number, received=self.received)


class StockServer:
    def __init__(self, facts, options):
        self.facts, self.options = facts, options
        self.service = wire.Service(facts["formats"])
        self.lock = threading.Lock()
        self.names = {}
        self.links = {}
        self.note_count = self.next_count = 0

    def serve_call(self, request, context):
        self.refuse(context)
        one, = wire.Batch(request.value).envelopes
        answers = list(self.answers_to(one, self.name_by_hash(one.method)))
        return self.service.message(value=wire.batch(*answers))

    def serve_link(self, requests, context):
        self.refuse(context)
        opening, = wire.Batch(next(requests).value).envelopes
        if opening.kind == wire.HELLO:
            peer = wire.Hello(opening.body)
            lanes = self.links[peer.secret] = {wire.CONTROL: Lane(), wire.CALLS: Lane()}
            lane, cut_after = lanes[wire.CONTROL], None
            welcome = wire.envelope(wire.WELCOME, body=wire.hello(peer.secret, self.options.window))
            yield self.service.message(value=wire.batch(welcome))
        else:
            reader = wire.Reader(opening.body)
            assert (reader.take(4), reader.varint()) == (wire.MAGIC, 2)
            lane = self.links[reader.take(16)][reader.take(1)[0]]
            lane.confirm(reader.varint())
            cut_after = self.options.cut
            yield self.service.message(value=wire.batch(wire.envelope(wire.JOINED, body=wire.varint(lane.received))))
            for number in sorted(lane.unconfirmed):
                yield self.service.message(value=lane.compose(number))
        for seen, message in enumerate(requests, 1):
            answers = list(self.handle(lane, wire.Batch(message.value)))
            if seen == cut_after:
                context.abort(grpc.StatusCode.INTERNAL, "cut by the test")
            for answer in answers:
                yield self.service.message(value=answer)

    def handle(self, lane, batch):
        lane.confirm(batch.received)
        if not batch.envelopes or 0 < batch.number <= lane.received:
            return
        assert batch.number == lane.received + 1, "a batch is missing"
        lane.received = batch.number
        answers = []
        for one in batch.envelopes:
            whole = lane.transfers.take(one) if one.kind == wire.CHUNK else one
            if whole is not None and len(whole.body) > wire.CHUNK_BYTES:
                yield from lane.answer_large(whole.call_id, whole.body)
            elif whole is not None:
                answers.extend(self.answers_to(whole, self.names.get(whole.method)))
        if answers:
            yield lane.answer(*answers)

    def answers_to(self, one, name):
        if one.kind == wire.BIND:
            yield self.bound(one.call_id, one.body)
        elif one.kind == wire.PING:
            yield wire.envelope(wire.PONG, one.call_id)
        elif one.kind == wire.ONE_WAY:
            with self.lock:
                self.note_count += 1
        elif one.kind == wire.CALL:
            yield self.answer_to_call(one, name)

    def answer_to_call(self, one, name):
        if name == "FailAsync":
            return wire.envelope(wire.FAULT, one.call_id, wire.application_fault("Stock.Failure", "it failed"))
        if name == "NextAsync":
            with self.lock:
                self.next_count += 1
                return wire.envelope(wire.REPLY, one.call_id, self.facts["numbers"][self.next_count])
        if name == "NotesAsync":
            return wire.envelope(wire.REPLY, one.call_id, self.facts["numbers"][self.note_count])
        return wire.envelope(wire.REPLY, one.call_id, one.body)

    def bound(self, lane, body):
        reader = wire.Reader(body)
        first, names = reader.varint(), [reader.text() for _ in range(reader.varint())]
        assert names[0] == self.facts["contract"], names
        types = [reader.block() for _ in range(reader.varint())]
        refusals = []
        for handle in range(first, first + reader.varint()):
            name, hashes = reader.text(), [reader.take(8) for _ in range(reader.varint())]
            known, layout = self.facts["methods"][name], reader.take(8)
            assert (hashes[0], layout) == (known["signature"], known["layout"]), name
            assert reader.varint() == 0, "no method is generic"
            arguments = [reader.varint() for _ in range(reader.varint())]
            assert len(arguments) == known["arguments"] and max(arguments, default=0) <= len(types), name
            self.names[handle] = name
            if name == "MissingAsync":
                refusals.append(
                    wire.varint(handle) + wire.varint(UNKNOWN_METHOD) + wire.text("not here") + wire.varint(0))
        return wire.envelope(wire.BOUND, lane, wire.varint(first) + wire.varint(len(refusals)) + b"".join(refusals))

    def name_by_hash(self, hashes):
        contract, signature, layout = hashes[:8], hashes[8:16], hashes[16:]
        assert contract == self.facts["contractHash"]
        return next(name for name, one in self.facts["methods"].items()
                    if (one["signature"], one["layout"]) == (signature, layout))

    def refuse(self, context):
        if self.options.refuse:
            context.abort(grpc.StatusCode[self.options.refuse], "refused by the test")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("facts")
    parser.add_argument("--window", type=int, default=0)
    parser.add_argument("--cut", type=int)
    parser.add_argument("--refuse")
    parser.add_argument("--compress", action="store_true")
    arguments = parser.parse_args()
    stock = StockServer(wire.load_facts(arguments.facts), arguments)
    server = grpc.server(
        futures.ThreadPoolExecutor(64), options=[("grpc.max_receive_message_length", 32 << 20)],
        compression=grpc.Compression.Gzip if arguments.compress else grpc.Compression.NoCompression)
    server.add_generic_rpc_handlers((stock.service.handlers({"Link": stock.serve_link, "Call": stock.serve_call}),))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    server.start()
    sys.stdin.read()
    server.stop(0)
