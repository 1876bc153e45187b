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
        self.received, self.number, self.unconfirmed, self.batches = 0, 0, {}, 0

    def confirm(self, received):
        for number in [one for one in self.unconfirmed if one <= received]:
            del self.unconfirmed[number]

    def answer(self, envelopes):
        self.number += 1
        self.unconfirmed[self.number] = envelopes
        return self.compose(self.number)

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
            assert (reader.take(4), reader.varint()) == (wire.MAGIC, 1)
            lane = self.links[reader.take(16)][reader.take(1)[0]]
            lane.confirm(reader.varint())
            cut_after = self.options.cut
            yield self.service.message(value=wire.batch(wire.envelope(wire.JOINED, body=wire.varint(lane.received))))
            for number in sorted(lane.unconfirmed):
                yield self.service.message(value=lane.compose(number))
        for seen, message in enumerate(requests, 1):
            answer = self.handle(lane, wire.Batch(message.value))
            if seen == cut_after:
                context.abort(grpc.StatusCode.INTERNAL, "cut by the test")
            if answer:
                yield self.service.message(value=answer)

    def handle(self, lane, batch):
        lane.confirm(batch.received)
        if not batch.envelopes or 0 < batch.number <= lane.received:
            return None
        assert batch.number == lane.received + 1, "a batch is missing"
        lane.received = batch.number
        answers = [answer for one in batch.envelopes for answer in self.answers_to(one, self.names.get(one.method))]
        return lane.answer(answers) if answers else None

    def answers_to(self, one, name):
        if one.kind == wire.BIND:
            yield self.bound(one.body)
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

    def bound(self, body):
        reader = wire.Reader(body)
        first, contract, count = reader.varint(), reader.text(), reader.varint()
        assert contract == self.facts["contract"], contract
        refusals = []
        for handle in range(first, first + count):
            name, signature, layout = reader.text(), reader.take(8), reader.take(8)
            known = self.facts["methods"][name]
            assert (signature, layout) == (known["signature"], known["layout"]), name
            self.names[handle] = name
            if name == "MissingAsync":
                refusals.append(wire.varint(handle) + wire.varint(UNKNOWN_METHOD) + wire.text("not here"))
        return wire.envelope(wire.BOUND, body=wire.varint(first) + wire.varint(len(refusals)) + b"".join(refusals))

    def name_by_hash(self, hashes):
        contract, signature, layout = hashes[:8], hashes[8:16], hashes[16:]
        assert contract == self.facts["contractHash"]
        known = {"signature": signature, "layout": layout}
        return next(name for name, one in self.facts["methods"].items() if one == known)

    def refuse(self, context):
        if self.options.refuse:
            context.abort(grpc.StatusCode[self.options.refuse], "refused by the test")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("facts")
    parser.add_argument("--window", type=int, default=0)
    parser.add_argument("--cut", type=int)
    parser.add_argument("--refuse")
    arguments = parser.parse_args()
    stock = StockServer(wire.load_facts(arguments.facts), arguments)
    server = grpc.server(
        futures.ThreadPoolExecutor(64), options=[("grpc.max_receive_message_length", 32 << 20)])
    server.add_generic_rpc_handlers((stock.service.handlers({"Link": stock.serve_link, "Call": stock.serve_call}),))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    server.start()
    sys.stdin.read()
    server.stop(0)
