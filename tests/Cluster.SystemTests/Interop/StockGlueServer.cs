using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Published = Glue.V1.Glue;

namespace Cluster.SystemTests.Interop;

/// <summary>A stock gRPC server of C#, generated from <c>glue.proto</c>, for Glue clients. It cannot read Slim: it
/// answers with messages of the facts, or with the arguments themselves. Concurrent dictionaries and atomic counts
/// protect its state.</summary>
internal sealed class StockGlueServer(StockFacts facts, StockServerPlan plan) : Published.GlueBase, IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, StockLane[]> _links = new();
    private readonly ConcurrentDictionary<int, string> _names = new();
    private WebApplication? _app;
    private int _noteCount;
    private int _nextCount;

    public string Address => _app!.Urls.First();

    public static async Task<StockGlueServer> StartAsync(StockFacts facts, StockServerPlan plan)
    {
        var server = new StockGlueServer(facts, plan);
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddGrpc(options =>
        {
            options.MaxReceiveMessageSize = 32 << 20;
            options.ResponseCompressionAlgorithm = plan.Compresses ? "gzip" : null;
        });
        builder.Services.AddSingleton(server);
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(
            IPAddress.Loopback, 0, endpoint => endpoint.Protocols = HttpProtocols.Http2));
        server._app = builder.Build();
        server._app.MapGrpcService<StockGlueServer>();
        await server._app.StartAsync();
        return server;
    }

    public override Task<BytesValue> Call(BytesValue request, ServerCallContext context)
    {
        Refuse();
        var one = Assert.Single(new StockBatch(request).Envelopes);
        var name = facts.Names.Single(known => facts.HashesOf(known).SequenceEqual(one.Hashes!));
        return Task.FromResult(StockWire.Batch([.. AnswersTo(one, name)]));
    }

    public override async Task Link(
        IAsyncStreamReader<BytesValue> requestStream,
        IServerStreamWriter<BytesValue> responseStream,
        ServerCallContext context)
    {
        Refuse();
        Assert.True(await requestStream.MoveNext());
        var opening = Assert.Single(new StockBatch(requestStream.Current).Envelopes);
        var lane = opening.Kind == StockKind.Hello
            ? await OpenAsync(opening, responseStream)
            : await JoinAsync(opening, responseStream);
        for (var seen = 1; await requestStream.MoveNext(); seen++)
        {
            BytesValue[] answers = [.. Handle(lane, new StockBatch(requestStream.Current))];
            if (opening.Kind == StockKind.Join && seen == plan.CutAfter)
                throw new RpcException(new Status(StatusCode.Internal, "cut by the test"));
            foreach (var answer in answers)
                await responseStream.WriteAsync(answer);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_app is not null)
            await _app.DisposeAsync();
    }

    private async Task<StockLane> OpenAsync(StockEnvelope hello, IServerStreamWriter<BytesValue> responses)
    {
        var secret = StockWire.SecretOf(hello.Body);
        var lanes = _links[Convert.ToHexString(secret)] = [new StockLane(), new StockLane()];
        await responses.WriteAsync(StockWire.Batch(
            StockWire.Envelope(StockKind.Welcome, 0, StockWire.Hello(secret, plan.WindowMilliseconds))));
        return lanes[0];
    }

    private async Task<StockLane> JoinAsync(StockEnvelope join, IServerStreamWriter<BytesValue> responses)
    {
        var reader = new StockReader(join.Body);
        reader.Take(4);
        Assert.Equal(2, reader.Count());
        var lane = _links[Convert.ToHexString(reader.Take(16))][reader.Byte()];
        lane.Confirm(reader.Count());
        await responses.WriteAsync(StockWire.Batch(
            StockWire.Envelope(StockKind.Joined, 0, StockWire.Varint(lane.ReceivedCount))));
        foreach (var message in lane.Unconfirmed())
            await responses.WriteAsync(message);
        return lane;
    }

    private IEnumerable<BytesValue> Handle(StockLane lane, StockBatch batch)
    {
        if (!lane.Receive(batch))
            yield break;
        var answers = new List<byte[]>();
        foreach (var whole in batch.Envelopes.Select(lane.Transfers.Take))
        {
            if (whole is { Body.Length: > StockWire.ChunkBytes })
            {
                foreach (var piece in lane.AnswerLarge(whole.CallId, whole.Body))
                    yield return piece;
            }
            else if (whole is not null)
            {
                answers.AddRange(AnswersTo(whole, _names.GetValueOrDefault(whole.Handle, "")));
            }
        }

        if (answers.Count > 0)
            yield return lane.Answer([.. answers]);
    }

    private IEnumerable<byte[]> AnswersTo(StockEnvelope one, string name)
    {
        switch (one.Kind)
        {
            case StockKind.Bind:
                yield return Bound(one);
                break;
            case StockKind.Ping:
                yield return StockWire.Envelope(StockKind.Pong, one.CallId);
                break;
            case StockKind.OneWay:
                Interlocked.Increment(ref _noteCount);
                break;
            case StockKind.Call:
                yield return name == "FailAsync"
                    ? StockWire.Envelope(
                        StockKind.Fault, one.CallId, StockWire.ApplicationFault("Stock.Failure", InteropFacts.Failure))
                    : StockWire.Envelope(StockKind.Reply, one.CallId, ResultOf(one, name));
                break;
            default:
                break;
        }
    }

    private byte[] ResultOf(StockEnvelope one, string name) => name switch
    {
        "NextAsync" => facts.Numbers[Interlocked.Increment(ref _nextCount)],
        "NotesAsync" => facts.Numbers[Volatile.Read(ref _noteCount)],
        _ => one.Body,
    };

    private byte[] Bound(StockEnvelope bind)
    {
        var reader = new StockReader(bind.Body);
        var first = reader.Count();
        string[] contracts = [.. Enumerable.Range(0, reader.Count()).Select(_ => reader.Text())];
        Assert.Equal(facts.Contract, contracts[0]);
        var typeCount = reader.Count();
        for (var i = 0; i < typeCount; i++)
            reader.Block();
        var refused = new List<int>();
        var count = reader.Count();
        for (var handle = first; handle < first + count; handle++)
        {
            _names[handle] = ReadMethod(reader);
            if (_names[handle] == nameof(IInterop.MissingAsync))
                refused.Add(handle);
        }

        return StockWire.Envelope(StockKind.Bound, bind.CallId,
        [
            .. StockWire.Varint(first), .. StockWire.Varint(refused.Count),
            .. refused.SelectMany(handle => (byte[])
            [
                .. StockWire.Varint(handle), .. StockWire.Varint(StockWire.UnknownMethod), .. StockWire.Text("not here"),
                .. StockWire.Varint(0),
            ]),
        ]);
    }

    private string ReadMethod(StockReader reader)
    {
        var name = reader.Text();
        byte[][] hashes = [.. Enumerable.Range(0, reader.Count()).Select(_ => reader.Take(8))];
        Assert.Equal(facts.Methods[name].Signature, hashes[0]);
        Assert.Equal(facts.Methods[name].Layout, reader.Take(8));
        Assert.Equal(0, reader.Count());
        var argumentCount = reader.Count();
        Assert.Equal(facts.Methods[name].ArgumentCount, argumentCount);
        for (var i = 0; i < argumentCount; i++)
            reader.Varint();
        return name;
    }

    private void Refuse()
    {
        if (plan.Refusal is { } refusal)
            throw new RpcException(new Status(refusal, "refused by the test"));
    }
}
