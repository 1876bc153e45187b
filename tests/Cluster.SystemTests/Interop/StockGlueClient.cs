using Cluster.Testing;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Grpc.Net.Client;
using Published = Glue.V1.Glue;

namespace Cluster.SystemTests.Interop;

/// <summary>A stock gRPC client of C#, generated from <c>glue.proto</c>. It calls a Glue server in the same way as the
/// clients of other languages.</summary>
internal sealed class StockGlueClient : IAsyncDisposable
{
    private const int UnknownContract = 20;
    private const int AttemptsMax = 3;
    private const int ResultTooLarge = 31;
    private const int NotDelivered = 1;
    private const int Executed = 3;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly StockFacts _facts;
    private readonly GrpcChannel _channel;

    // Unary calls need their own connection: haproxy stops reading a connection while the client does not read one of
    // its streams.
    private readonly GrpcChannel _callChannel;
    private readonly Published.GlueClient _client;
    private readonly Published.GlueClient _callClient;
    private readonly CallOptions _options;

    public StockGlueClient(string address, StockFacts facts, bool compresses)
    {
        _facts = facts;
        _channel = GrpcChannel.ForAddress(address, new GrpcChannelOptions { MaxReceiveMessageSize = 32 << 20 });
        _callChannel = GrpcChannel.ForAddress(address, new GrpcChannelOptions { MaxReceiveMessageSize = 32 << 20 });
        _client = new Published.GlueClient(_channel);
        _callClient = new Published.GlueClient(_callChannel);
        _options = new CallOptions(
            compresses ? [new Metadata.Entry("grpc-internal-encoding-request", "gzip")] : [],
            TimeProvider.System.GetUtcNow().UtcDateTime + Bound);
    }

    public Task CheckAsync(string mode) => mode switch
    {
        "unary" => CheckUnaryAsync(),
        "link" => CheckLinkAsync(),
        "resume" => CheckResumeAsync(),
        "refusals" => CheckRefusalsAsync(),
        _ => throw new ArgumentException($"{mode} is not known.", nameof(mode)),
    };

    public ValueTask DisposeAsync()
    {
        _channel.Dispose();
        _callChannel.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task CheckUnaryAsync()
    {
        var answer = await CallAsync("DoubleAsync", _facts.Numbers[21]);
        Assert.Equal((StockKind.Reply, Text(_facts.Numbers[42])), (answer.Kind, Text(answer.Body)));
        answer = await CallAsync("EchoAsync", _facts.Large);
        Assert.Equal((StockKind.Reply, Text(_facts.Large)), (answer.Kind, Text(answer.Body)));
        var fault = new StockFault((await CallAsync("FailAsync", _facts.Text)).Body);
        Assert.Equal(("System.InvalidOperationException", InteropFacts.Failure), (fault.TypeName, fault.Text));
        CheckFault(await CallAsync("NothingAsync", []), StockWire.UnknownMethod, NotDelivered);
        CheckFault(
            await OneAsync(StockWire.NamedRequest(6, new byte[24], [])), UnknownContract, NotDelivered);
        CheckFault(
            await OneAsync(
                StockWire.NamedRequest(7, _facts.HashesOf("EchoAsync"), _facts.Large),
                new Metadata.Entry("glue-message-bytes-max", "4096")),
            ResultTooLarge,
            Executed);
        var note = StockWire.NamedRequest(
            0, _facts.HashesOf("NoteAsync"), _facts.Numbers[1], StockKind.OneWay);
        Assert.Empty(await UnaryAsync(note));
        await AwaitNotesAsync(1);
    }

    private async Task CheckLinkAsync()
    {
        using var stream = await OpenAsync(StockWire.Batch(
            StockWire.Envelope(StockKind.Hello, 0, StockWire.Hello(StockWire.NoSecret))));
        var welcome = Assert.Single((await stream.ReceiveAsync())!.Envelopes);
        Assert.Equal(StockKind.Welcome, welcome.Kind);
        Assert.Equal(StockWire.NoSecret, StockWire.SecretOf(welcome.Body));
        var twice = HandleOf("DoubleAsync");
        await stream.SendAsync(StockWire.Batch(
        [
            Bind(), StockWire.Envelope(StockKind.Ping, 77),
            .. Enumerable.Range(1, 100).Select(i => StockWire.Request((ulong)i, twice, _facts.Numbers[i])),
        ]));
        byte[] head =
        [
            (byte)StockKind.Call, .. StockWire.Varint(200), .. StockWire.Varint(HandleOf("EchoAsync")),
            .. StockWire.Varint(30_000),
        ];
        foreach (var chunk in StockWire.Chunks(1, head, _facts.Large))
            await stream.SendAsync(StockWire.Batch(chunk));
        await stream.SendAsync(StockWire.Batch(
            StockWire.Request(201, HandleOf("FailAsync"), _facts.Text),
            StockWire.Request(202, HandleOf("NothingAsync"), []),
            StockWire.NamedRequest(203, _facts.HashesOf("DoubleAsync"), _facts.Numbers[4]),
            StockWire.Request(204, HandleOf("WaitAsync"), [])));
        // The method counts one note when it begins to wait, and another one when it is cancelled.
        await AwaitNotesAsync(1);
        await stream.SendAsync(StockWire.Batch(StockWire.Envelope(StockKind.Cancel, 204)));
        await AwaitNotesAsync(2);
        var answers = await AnswersAsync(stream, count: 104);
        for (var i = 1; i <= 100; i++)
            Assert.Equal(_facts.Numbers[2 * i], answers[(ulong)i].Body);
        Assert.Equal(_facts.Large, answers[200].Body);
        Assert.Equal(InteropFacts.Failure, new StockFault(answers[201].Body).Text);
        CheckFault(answers[202], StockWire.UnknownMethod, NotDelivered);
        Assert.Equal(_facts.Numbers[8], answers[203].Body);
        await stream.FinishAsync();
    }

    private async Task CheckResumeAsync()
    {
        byte[] secret = [.. Enumerable.Range(1, 16).Select(one => (byte)one)];
        using var control = await OpenAsync(StockWire.Batch(
            StockWire.Envelope(StockKind.Hello, 0, StockWire.Hello(secret, windowMilliseconds: 60_000))));
        Assert.Equal(secret, StockWire.SecretOf((await control.ReceiveAsync())!.Envelopes[0].Body));
        var sent = new List<byte[][]> { new[] { Bind() } };
        var replies = new Dictionary<ulong, byte[]>();
        var receivedCount = 0;
        for (var round = 1; round <= 12; round++)
        {
            var first = 5UL * (ulong)round;
            sent.Add([.. Enumerable.Range(0, 5).Select(
                i => StockWire.Request(first + (ulong)i, HandleOf("NextAsync"), []))]);
            using var lane = await OpenAsync(JoinOf(secret, receivedCount));
            var joined = Assert.Single((await lane.ReceiveAsync())!.Envelopes);
            Assert.Equal(StockKind.Joined, joined.Kind);
            for (var number = new StockReader(joined.Body).Count(); number < sent.Count; number++)
                await lane.SendAsync(StockWire.Batch(number + 1, receivedCount, sent[number]));
            // In each second round the stream is cut before its answers are read.
            while (round % 2 == 0 && replies.Count < 5 * round)
            {
                var batch = (await lane.ReceiveAsync())!;
                if (batch.Number != receivedCount + 1)
                    continue;
                receivedCount++;
                foreach (var reply in batch.Envelopes.Where(one => one.Kind == StockKind.Reply))
                    replies.Add(reply.CallId, reply.Body);
            }
        }

        Assert.Equal(_facts.Numbers[1..61].Select(Text).Order(), replies.Values.Select(Text).Order());
        await control.SendAsync(StockWire.Batch(1, 0, StockWire.Envelope(StockKind.Leave, 0)));
        await control.FinishAsync();
        await ExpectAsync(StatusCode.NotFound, "no such link", JoinOf(secret, receivedCount));
    }

    private async Task CheckRefusalsAsync()
    {
        await ExpectAsync(
            StatusCode.InvalidArgument, "batch form", new BytesValue { Value = ByteString.CopyFrom(9) });
        await ExpectAsync(
            StatusCode.InvalidArgument, "instead of Hello", StockWire.Batch(StockWire.Envelope(StockKind.Ping, 0)));
        await ExpectAsync(
            StatusCode.InvalidArgument,
            "announced",
            new BytesValue { Value = ByteString.CopyFrom(new byte[70_000]) });
        await ExpectAsync(
            StatusCode.FailedPrecondition,
            "7 to 7",
            StockWire.Batch(
                StockWire.Envelope(StockKind.Hello, 0, StockWire.Hello(StockWire.NoSecret, version: 7))));
        await ExpectAsync(StatusCode.NotFound, "no such link", JoinOf([.. Enumerable.Repeat((byte)0x55, 16)], 0));
        var refused = await Assert.ThrowsAsync<RpcException>(
            () => UnaryAsync(StockWire.Envelope(StockKind.Ping, 0)));
        Assert.Equal(StatusCode.InvalidArgument, refused.StatusCode);
        Assert.Contains("unary call", refused.Status.Detail, StringComparison.Ordinal);
    }

    private async Task ExpectAsync(StatusCode code, string text, BytesValue opening)
    {
        // The server resets the stream of a refused client that has not ended its side. A busy proxy may pass the reset
        // on before the status. The client cannot tell that from a cut, and asks again.
        RpcException refused;
        var attempts = 0;
        do
        {
            using var stream = await OpenAsync(opening);
            refused = await Assert.ThrowsAsync<RpcException>(() => stream.FinishAsync());
        }
        while (refused.StatusCode == StatusCode.Cancelled && ++attempts < AttemptsMax);

        Assert.Equal(code, refused.StatusCode);
        Assert.Contains(text, refused.Status.Detail, StringComparison.Ordinal);
    }

    private static async Task<Dictionary<ulong, StockEnvelope>> AnswersAsync(StockStream stream, int count)
    {
        var answers = new Dictionary<ulong, StockEnvelope>();
        var transfers = new StockTransfers();
        bool isBound = false, isPonged = false;
        while (answers.Count < count)
        {
            foreach (var one in (await stream.ReceiveAsync())!.Envelopes.Select(transfers.Take))
            {
                isBound |= one?.Kind == StockKind.Bound;
                isPonged |= one is { Kind: StockKind.Pong, CallId: 77 };
                if (one is { Kind: StockKind.Reply or StockKind.Fault, CallId: not 204 })
                    answers.Add(one.CallId, one);
            }
        }

        Assert.True(isBound && isPonged);
        return answers;
    }

    // One-way calls and cancelled calls send no answer, so the notes show when they have run.
    private Task AwaitNotesAsync(int count) =>
        Eventually.TrueAsync(
            async () => (await CallAsync("NotesAsync", [])).Body.SequenceEqual(_facts.Numbers[count]), Bound);

    private async Task<StockEnvelope> CallAsync(string name, byte[] body)
    {
        var answer = await OneAsync(StockWire.NamedRequest(5, _facts.HashesOf(name), body));
        Assert.Equal(5UL, answer.CallId);
        return answer;
    }

    private async Task<StockEnvelope> OneAsync(byte[] request, params Metadata.Entry[] headers) =>
        Assert.Single(await UnaryAsync(request, headers));

    private async Task<List<StockEnvelope>> UnaryAsync(byte[] request, params Metadata.Entry[] headers) =>
        new StockBatch(await _callClient.CallAsync(
            StockWire.Batch(request), _options.WithHeaders([.. _options.Headers!, .. headers]))).Envelopes;

    private Task<StockStream> OpenAsync(BytesValue first) => StockStream.OpenAsync(_client, _options, first);

    private static BytesValue JoinOf(byte[] secret, int receivedCount) => StockWire.Batch(
        StockWire.Envelope(StockKind.Join, 0, StockWire.Join(secret, StockWire.CallsLane, receivedCount)));

    private byte[] Bind() => StockWire.Envelope(StockKind.Bind, 0, StockWire.Manifest(_facts));

    private int HandleOf(string name) => Array.IndexOf(_facts.Names, name);

    private static void CheckFault(StockEnvelope answer, int code, int delivery)
    {
        Assert.Equal(StockKind.Fault, answer.Kind);
        var fault = new StockFault(answer.Body);
        Assert.Equal((code, delivery), (fault.Code, fault.Delivery));
    }

    // As text, so that a failed assertion prints the difference.
    private static string Text(byte[] bytes) => Convert.ToHexString(bytes);
}
