using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Tests.Sessions;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Golden;

/// <summary>What a client and a server of each protocol version said to each other, kept in a file: it is still read, a
/// server still answers it alike, and a client still understands the answers. Recorded with CLUSTER_RECORD_GLUE=1; a
/// file is never recorded again once its version is released.</summary>
public sealed class GoldenConversationTests : IAsyncLifetime
{
    private const string Host = "golden";
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private const string Current = "conversation-2.txt";

    private readonly List<(bool ToServer, byte[] Payload)> _recorded = [];
    private GlueHost _host = null!;

    public async Task InitializeAsync()
    {
        _host = await GlueHost.StartAsync(
            options =>
            {
                options.Node = NodeOf("server");
                // Stacks tell where in the code it happened.
                options.ExceptionDetail = GlueExceptionDetail.WithoutStack;
            },
            static glue => glue.AddService<IGoldenShop, GoldenShop>());
        if (Environment.GetEnvironmentVariable("CLUSTER_RECORD_GLUE") == "1")
            await RecordAsync(PathOf(Current));
        _recorded.AddRange(Read(Current));
    }

    public async Task DisposeAsync() => await _host.DisposeAsync();

    [Theory]
    [InlineData("conversation-1.txt")]
    [InlineData(Current)]
    [Trait("Case", "glue-98")]
    [Trait("Case", "repair-B3")]
    public void Frames_AreStillDecoded(string file)
    {
        var kinds = new List<EnvelopeKind>();
        foreach ((_, var payload) in Read(file))
        {
            var reader = BatchHead.Open(payload, out _);
            while (!reader.AtEnd)
                kinds.Add(Envelope.Read(ref reader).Kind);
        }

        Assert.Equal(
            "Hello Welcome Bind Call Bound Reply Call Reply Call Fault OneWay Call Reply Leave Leave",
            string.Join(' ', kinds.Where(kind => kind is not (EnvelopeKind.Ping or EnvelopeKind.Pong))));
    }

    [Fact]
    [Trait("Case", "glue-98")]
    public async Task Requests_AreStillAnsweredAlike()
    {
        using var raw = new RawLink(_host.Address);
        byte[][] sent = [.. _recorded.Where(one => one.ToServer).Select(one => one.Payload)];
        var answer = await raw.ExchangeAsync(
            [.. sent.Where(payload => Frames.EnvelopesIn(payload).All(one => one.Kind != EnvelopeKind.Leave))
                .SelectMany(Frames.OfPayload)]);
        var now = Answers(Frames.PayloadsIn(answer));
        var then = Answers(_recorded.Where(one => !one.ToServer).Select(one => one.Payload));
        Assert.Equal(then.Length, now.Length);
        foreach (var one in then)
        {
            var again = Assert.Single(now, other => other.CallId == one.CallId);
            Assert.Equal(one.Bytes, again.Bytes);
        }
    }

    [Fact]
    [Trait("Case", "glue-98")]
    public async Task Answers_AreStillUnderstood()
    {
        var then = Answers(_recorded.Where(one => !one.ToServer).Select(one => one.Payload));
        var script = new HostileScript
        {
            Welcome = Frames.OfPayload(_recorded.First(one => !one.ToServer).Payload),
            Answer = id => (Frames.Of(then.Single(one => one.CallId == id).Bytes), false),
        };
        var options = Options();
        options.WrapConnector = inner => new HostileConnector(inner, host => host == Host ? script : null);
        await using var client = new GlueClient(options);
        await TalkAsync(client.CreateProxy<IGoldenShop>($"http://{Host}"));
    }

    /// <summary>A client of version 1 learns both versions; one of version 2 learns as much from a server of
    /// 1.</summary>
    [Fact]
    [Trait("Case", "repair-B3")]
    public async Task ConversationOfVersion1_IsRefused_NamingBothVersions()
    {
        var old = Read("conversation-1.txt");
        using var raw = new RawLink(_host.Address);
        (var status, var message) = await raw.SendAsync(Frames.OfPayload(old.First(one => one.ToServer).Payload));
        Assert.Equal("9", status);
        Assert.Contains("versions 1 to 1 are not spoken here; 2 to 2 are", message, StringComparison.Ordinal);

        var script = new HostileScript { Welcome = Frames.OfPayload(old.First(one => !one.ToServer).Payload) };
        var options = Options();
        options.WrapConnector = inner => new HostileConnector(inner, host => host == Host ? script : null);
        await using var client = new GlueClient(options);
        var shop = client.CreateProxy<IGoldenShop>($"http://{Host}");
        var refused = await Assert.ThrowsAsync<GlueException>(() => shop.EchoAsync("x").WaitAsync(Bound));
        Assert.Equal(GlueErrorCode.HandshakeRefused, refused.Code);
        Assert.Contains("the server speaks protocol version 1, this client 2 to 2", refused.Message, StringComparison.Ordinal);
    }

    private static List<(bool ToServer, byte[] Payload)> Read(string file) =>
        [.. File.ReadLines(PathOf(file)).Select(line => (line[0] == '>', Convert.FromHexString(line[2..])))];

    private static RecordedEnvelope[] Answers(IEnumerable<byte[]> payloads) =>
        [.. payloads.SelectMany(Frames.EnvelopesIn)
            .Where(one => one.Kind is EnvelopeKind.Reply or EnvelopeKind.Fault)];

    private static async Task TalkAsync(IGoldenShop shop)
    {
        Assert.Equal("h\u00e4llo", await shop.EchoAsync("h\u00e4llo").WaitAsync(Bound));
        var first = new GoldenItem { Name = "first", Price = 1.50m };
        first.Next = new GoldenItem { Name = "second", Price = 2, Next = first };
        var turned = await shop.TurnAsync(first).WaitAsync(Bound);
        Assert.Equal(("second", 2m, "first", 1.50m), (turned.Name, turned.Price, turned.Next!.Name, turned.Next.Price));
        Assert.Same(turned, turned.Next.Next);
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => shop.FailAsync().WaitAsync(Bound));
        Assert.Equal("closed", failure.Message);
        await shop.NoteAsync("note").WaitAsync(Bound);
        Assert.Equal("after", await shop.EchoAsync("after").WaitAsync(Bound));
    }

    private async Task RecordAsync(string path)
    {
        var lines = new List<string>();
        var options = Options();
        options.Node = NodeOf("client");
        options.WrapConnector = inner => new RecordingConnector(inner, (toServer, payload) =>
        {
            lock (lines)
                lines.Add($"{(toServer ? '>' : '<')} {Convert.ToHexString(payload)}");
        });
        await using (var client = new GlueClient(options))
            await TalkAsync(client.CreateProxy<IGoldenShop>(_host.Address));
        lock (lines)
            File.WriteAllLines(path, lines);
    }

    private static NodeId NodeOf(string name) => new(name, new Guid("00112233-4455-6677-8899-aabbccddeeff"));

    // One stream carries all, so that the file has one order.
    private static GlueClientOptions Options() => new()
    {
        ResumeWindow = TimeSpan.Zero,
        HeartbeatInterval = Bound,
        DefaultDeadline = Bound,
        ConnectTimeout = Bound,
    };

    private static string PathOf(string file, [CallerFilePath] string source = "") =>
        Path.Combine(Path.GetDirectoryName(source)!, file);
}
