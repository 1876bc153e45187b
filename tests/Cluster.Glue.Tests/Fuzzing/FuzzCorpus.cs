using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Good envelopes of every kind: what a client and a server really said for a number of calls, and what they
/// would say at other moments. Recorded once, then read only.</summary>
internal sealed class FuzzCorpus
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly byte[] Secret = [.. Enumerable.Repeat((byte)9, 16)];

    private FuzzCorpus()
    {
    }

    public FuzzProbe[] Probes { get; } =
    [
        Probe("text", probes => probes.EchoTextAsync("hello, \u00e4 \ud83d\ude00")),
        Probe("graph", probes => probes.EchoGraphAsync(Cycle())),
        Probe("animals", probes => probes.EchoAnimalsAsync([new Dog { Name = "Rex", Barks = 3 }, new Cat { Purrs = true }])),
        Probe("bytes", probes => probes.EchoBytesAsync(new byte[200])),
        Probe("sum", probes => probes.SumAsync(1, 2, 3.5m, new DateTime(2026, 1, 2), new Guid("00112233-4455-6677-8899-aabbccddeeff"), 1e9)),
        Probe("failure", probes => probes.FailAsync(), fails: true),
        Probe("unlisted failure", probes => probes.FailUnlistedAsync(), fails: true),
        Probe("anything", probes => probes.TakeAnythingAsync(new Dog { Barks = 1 })),
        Probe("nothing", probes => probes.NothingAsync()),
        Probe("one-way", probes => probes.NoteAsync("note")),
        new("refused", static (client, address) => client.CreateProxy<INotOffered>(address).GoAsync(), Fails: true),
    ];

    /// <summary>The handles that the recorded calls go by: the first message of each session with the server.</summary>
    public List<RecordedEnvelope> Binds { get; } = [];

    /// <summary>What clients say besides calls, and what they must not say.</summary>
    public IReadOnlyList<RecordedEnvelope> ToServer { get; } =
    [
        Frames.Record(EnvelopeKind.Cancel, 1),
        Frames.Record(EnvelopeKind.Ping, 5),
        Frames.Record(EnvelopeKind.Pong, 5),
        Frames.Record(EnvelopeKind.Leave),
        Frames.Record(EnvelopeKind.Drain),
        Frames.Record(EnvelopeKind.Reply, 1, [1, 2, 3]),
        Frames.Record(EnvelopeKind.Hello, 0, Frames.Hello()),
        Frames.Record(EnvelopeKind.Chunk, 1, [5, 1, 7, 0, 100]),
        Frames.Record(EnvelopeKind.Chunk, 1, [1, 2, 3, 4, 5]),
        Frames.Record(EnvelopeKind.Join, 0, Frames.Join(Secret, 1, 0)),
        .. References(),
    ];

    /// <summary>What servers say besides answers, and what they must not say.</summary>
    public IReadOnlyList<RecordedEnvelope> ToClient { get; } =
    [
        Frames.Record(EnvelopeKind.Ping, 5),
        Frames.Record(EnvelopeKind.Pong, 5),
        Frames.Record(EnvelopeKind.Drain),
        Frames.Record(EnvelopeKind.Leave),
        Frames.Record(EnvelopeKind.Bound, 0, [0, 1, 0, 21, 2, 78, 79]),
        Frames.Record(EnvelopeKind.Reply, 77, [1, 2, 3]),
        Frames.Record(EnvelopeKind.Fault, 77, [1, 1, 1, 1, 1, 65]),
        Frames.Record(EnvelopeKind.Welcome, 0, Frames.Hello()),
        Frames.Record(EnvelopeKind.Joined, 0, [0]),
        Frames.Record(EnvelopeKind.Chunk, 1, [5, 3, 7]),
        Frames.Record(EnvelopeKind.Chunk, 1, [1, 2, 3, 4, 5]),
        Frames.Record(EnvelopeKind.Call, 3, [], [0, 100]),
        .. References(),
    ];

    public static void AddServices(GlueServerBuilder glue)
    {
        GlueHost.AddSemanticServices(glue);
        glue.AddService<IProbes, Probes>();
    }

    /// <summary>Makes each call once over a link of one stream and keeps what travels.</summary>
    public static async Task<FuzzCorpus> RecordAsync(string address)
    {
        var corpus = new FuzzCorpus();
        var gate = new Lock();
        var seen = new List<(bool ToServer, byte[] Payload)>();
        var options = new GlueClientOptions
        {
            ResumeWindow = TimeSpan.Zero,
            ConfigureTypes = GlueHost.AllowTypes,
            DefaultDeadline = Bound,
            ConnectTimeout = Bound,
        };
        options.WrapConnector = inner => new RecordingConnector(inner, (toServer, payload) =>
        {
            lock (gate)
                seen.Add((toServer, payload));
        });
        await using var client = new GlueClient(options);
        foreach (var probe in corpus.Probes)
        {
            var failure = await Record.ExceptionAsync(() => probe.Call(client, address));
            Assert.True(probe.Fails == failure is not null, $"{probe.Name}: {failure}");
            // A one-way call has no answer that says it was sent: the next call on its substream has.
            await client.CreateProxy<IProbes>(address).NothingAsync();
            lock (gate)
            {
                corpus.Keep(probe, seen);
                seen.Clear();
            }
        }

        return corpus;
    }

    // What either side says of references to a stream that is there or not.
    private static IEnumerable<RecordedEnvelope> References() =>
    [
        Frames.Record(EnvelopeKind.Items, 1, [1, 7, 2, 8]),
        Frames.Record(EnvelopeKind.End, 1),
        Frames.Record(EnvelopeKind.Credit, 1, [16, 100]),
        Frames.Record(EnvelopeKind.Stop, 1),
        Frames.Record(EnvelopeKind.Release, 1, [1]),
    ];

    private static FuzzProbe Probe(string name, Func<IProbes, Task> call, bool fails = false) =>
        new(name, (client, address) => call(client.CreateProxy<IProbes>(address)), fails);

    private static Node Cycle()
    {
        var first = new Node { Name = "first" };
        first.Next = new Node { Name = "second", Next = first };
        return first;
    }

    private void Keep(FuzzProbe probe, List<(bool ToServer, byte[] Payload)> seen)
    {
        foreach ((var toServer, var payload) in seen)
        {
            foreach (var one in Frames.EnvelopesIn(payload))
            {
                if (one.Kind == EnvelopeKind.Bind)
                    Binds.Add(one);
                else if (one.Kind is not (EnvelopeKind.Hello or EnvelopeKind.Welcome))
                    (toServer ? probe.Requests : probe.Answers).Add(one);
            }
        }
    }
}
