using System.Net.Http.Headers;
using Cluster.Glue.Signatures;
using Cluster.Glue.Tests.Wire;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Sends damaged messages to a live server over real connections, a few in each session, with a Ping behind
/// each: the Pongs tell how many of them were taken. A worker has a connection and a seed of its own.</summary>
internal sealed class ServerFuzz(FuzzCorpus corpus, string address, FuzzTally tally)
{
    private const int FramesPerSession = 6;
    private const ulong PingIds = 1_000_000;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly byte[] _binds = Frames.Of([.. corpus.Binds.SelectMany(bind => bind.Bytes)]);
    private readonly RecordedEnvelope[] _envelopes =
        [.. corpus.Probes.SelectMany(probe => probe.Requests), .. corpus.ToServer];

    private readonly RecordedEnvelope[] _named = [.. NamedRequestsOf(corpus)];

    public Task RunAsync(int seed, int workers, long frames) =>
        Task.WhenAll(Enumerable.Range(0, workers).Select(worker => Task.Run(() => WorkAsync(seed + worker, frames))));

    private async Task WorkAsync(int seed, long frames)
    {
        using var invoker = RawGrpc.CreateInvoker(Bound);
        var mutator = new FrameMutator(seed);
        while (tally.Frames < frames)
        {
            await (mutator.Random.Next(10) switch
            {
                0 => ShakeHandsAsync(invoker, mutator),
                1 => CallUnaryAsync(invoker, mutator),
                2 => JoinAsync(invoker, mutator),
                _ => OpenAsync(invoker, mutator),
            });
        }
    }

    private Task OpenAsync(HttpMessageInvoker invoker, FrameMutator mutator)
    {
        var hello = Frames.Of(Frames.Envelope(EnvelopeKind.Hello, 0, Frames.Hello()));
        return SendAsync(invoker, [.. hello, .. _binds, .. Damaged(mutator, firstNumber: 0)]);
    }

    private Task ShakeHandsAsync(HttpMessageInvoker invoker, FrameMutator mutator)
    {
        var secret = SecretOf(mutator);
        var first = mutator.Random.Next(3) == 0
            ? Frames.Record(EnvelopeKind.Join, 0, Frames.Join(secret, 1, 0))
            : Frames.Record(EnvelopeKind.Hello, 0, Frames.Hello(secret, 100));
        return SendAsync(invoker, mutator.Mutate(first, 0, out _));
    }

    private Task CallUnaryAsync(HttpMessageInvoker invoker, FrameMutator mutator) =>
        SendAsync(invoker, mutator.Mutate(mutator.Pick(_named), 0, out _), GlueWire.CallPath);

    /// <summary>A link that is resumable, and a substream of it over a second stream.</summary>
    private async Task JoinAsync(HttpMessageInvoker invoker, FrameMutator mutator)
    {
        var secret = SecretOf(mutator);
        await PostAsync(
            invoker, Frames.Of(Frames.Envelope(EnvelopeKind.Hello, 0, Frames.Hello(secret, 100))), RawGrpc.LinkPath);
        var join = Frames.Of(Frames.Envelope(EnvelopeKind.Join, 0, Frames.Join(secret, 1, 0)));
        var binds = Frames.Of([.. corpus.Binds.SelectMany(bind => bind.Bytes)], number: 1);
        await SendAsync(invoker, [.. join, .. binds, .. Damaged(mutator, firstNumber: 2)]);
    }

    private byte[] Damaged(FrameMutator mutator, ulong firstNumber)
    {
        var session = new List<byte>();
        for (uint i = 0; i < FramesPerSession; i++)
        {
            var number = firstNumber == 0 ? 0 : firstNumber + (2 * i);
            session.AddRange(mutator.Mutate(mutator.Pick(_envelopes), number, out var endsStream));
            if (endsStream)
                break;
            var ping = Frames.Envelope(EnvelopeKind.Ping, PingIds + i);
            session.AddRange(Frames.Of(ping, number == 0 ? 0 : number + 1));
        }

        return [.. session];
    }

    private async Task SendAsync(HttpMessageInvoker invoker, byte[] body, string path = RawGrpc.LinkPath)
    {
        var taken = 1;
        try
        {
            (var answer, var refusal) = await PostAsync(invoker, body, path);
            foreach (var one in Frames.PayloadsIn(answer).SelectMany(Frames.EnvelopesIn))
            {
                if (one.Kind == EnvelopeKind.Pong && one.CallId is >= PingIds and < PingIds + FramesPerSession)
                    taken++;
                else if (one.Kind is EnvelopeKind.Reply or EnvelopeKind.Fault)
                    tally.CountOther($"{one.Kind} of a call");
            }

            if (refusal is not null)
                tally.CountRefusal(refusal);
            else
                tally.CountOther("session that was taken to its end");
        }
        catch (TimeoutException exception)
        {
            throw new TimeoutException($"{path} was not answered: {Convert.ToHexString(body)}", exception);
        }
        catch (Exception exception) when (exception is HttpRequestException or IOException)
        {
            // How a server ends a stream on which a number is missing.
            tally.CountOther("stream that was reset");
        }

        tally.Count(Math.Min(taken, FramesPerSession));
    }

    private async Task<(byte[] Answer, string? Refusal)> PostAsync(HttpMessageInvoker invoker, byte[] body, string path)
    {
        using var content = new ByteArrayContent(body);
        content.Headers.ContentType = new MediaTypeHeaderValue(GlueWire.ContentType);
        using var request = RawGrpc.Create(new Uri(new Uri(address), path), content);
        using var response = await invoker.SendAsync(request, CancellationToken.None).WaitAsync(Bound);
        var answer = await response.Content.ReadAsByteArrayAsync().WaitAsync(Bound);
        foreach (var headers in new HttpHeaders[] { response.TrailingHeaders, response.Headers })
        {
            if (headers.TryGetValues(RawGrpc.MessageHeader, out var values))
                return (answer, Uri.UnescapeDataString(values.First()));
        }

        return (answer, null);
    }

    private static byte[] SecretOf(FrameMutator mutator)
    {
        var secret = new byte[16];
        mutator.Random.NextBytes(secret);
        return secret;
    }

    // As unary calls name their methods: by the hashes that the recorded contracts were bound with.
    private static IEnumerable<RecordedEnvelope> NamedRequestsOf(FuzzCorpus corpus)
    {
        var hashes = new Dictionary<ulong, byte[]>();
        foreach (var bind in corpus.Binds)
        {
            var request = BindRequest.Read(bind.Body);
            foreach ((var index, var method) in request.Methods.Index())
            {
                hashes[(ulong)(request.FirstHandle + index)] =
                [
                    .. BitConverter.GetBytes(SignatureHash.Of(request.Contracts[0])),
                    .. BitConverter.GetBytes(method.SignatureHashes[0]), .. BitConverter.GetBytes(method.LayoutFingerprint),
                ];
            }
        }

        foreach (var one in corpus.Probes.SelectMany(probe => probe.Requests))
        {
            if (one.Kind is not (EnvelopeKind.Call or EnvelopeKind.OneWay))
                continue;
            var reader = new WireReader(one.Bytes);
            var method = hashes[Envelope.Read(ref reader).Method];
            var named = Frames.Envelope(
                one.Kind, one.CallId, one.Body, [.. method, .. Frames.Varint(1000)], GlueWire.FlagNamedMethod);
            yield return one with { Bytes = named };
        }
    }
}
