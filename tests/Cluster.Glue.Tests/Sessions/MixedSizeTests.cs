using Cluster.Glue.Settings;
using Cluster.Glue.Substreams;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Calls with arguments and results of all sizes up to the limit, many at a time, some of them given up: each
/// ends by its deadline, and what was given up leaves nothing behind. The seed is in the message of a
/// failure.</summary>
public sealed class MixedSizeTests
{
    private const int Limit = 1024 * 1024;
    private const int AtOnce = 40;
    private const int Calls = 400;
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(60);

    public static TheoryData<string> Bindings => [.. SemanticBinding.Names, OneStream];

    private const string OneStream = nameof(OneStream);

    [Theory]
    [MemberData(nameof(Bindings))]
    [Trait("Case", "repair-B1")]
    public async Task CallsOfAllSizes_BothWays_EndByTheirDeadline(string binding)
    {
        var seed = Environment.TickCount;
        await using var pair = await Pair.StartAsync(binding);
        var storm = pair.Storm;
        var next = 0;
        var given = 0;
        await Task.WhenAll(Enumerable.Range(0, AtOnce).Select(caller => Task.Run(async () =>
        {
            var random = new Random(seed + caller);
            while (Interlocked.Increment(ref next) <= Calls)
            {
                if (!await CallAsync(storm, random, seed))
                    Interlocked.Increment(ref given);
            }
        }))).WaitAsync(2 * Deadline);
        Assert.True(given > 0, $"No call was given up (seed {seed}).");
        // All room is there again: the largest ones pass, more than fit at once.
        var largest = await Task.WhenAll(Enumerable.Range(0, 6).Select(_ => storm.EchoAsync(
            new byte[Limit - 200], Limit - 200, CancellationToken.None))).WaitAsync(2 * Deadline);
        Assert.All(largest, answer => Assert.Equal(Limit - 200, answer.Length));
    }

    /// <summary>Many that need two chunks, behind them one that needs all the room: it takes room once.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Case", "repair-B1")]
    public async Task ManyLargeCalls_AndOneOfTheLargest_AllPass(bool isArgument)
    {
        await using var pair = await Pair.StartAsync(SemanticBinding.Names[0]);
        int[] sizes = [.. Enumerable.Repeat(100_000, 200), Limit - 200, .. Enumerable.Repeat(100_000, 40)];
        var answers = await Task.WhenAll(sizes.Select(size => pair.Storm.EchoAsync(
            new byte[isArgument ? size : 0], isArgument ? 0 : size, CancellationToken.None))).WaitAsync(2 * Deadline);
        Assert.Equal(isArgument ? 0 : sizes.Sum(), answers.Sum(answer => answer.Length));
    }

    [Fact]
    [Trait("Case", "repair-B1")]
    public void Room_IsTakenOnce_AndGivenBackOnce()
    {
        const int Size = 500_000;
        var settings = new LinkSettings
        {
            PeerName = "test",
            Peer = default,
            Secret = default,
            ResumeWindow = TimeSpan.Zero,
            MaxLinkAge = TimeSpan.FromHours(1),
            MaxMessageBytes = Size,
            MaxCallsInFlight = 1,
            ServedCallsMax = 1,
            MaxSendQueueBytes = 1,
            HeartbeatInterval = TimeSpan.FromSeconds(1),
            Time = TimeProvider.System,
        };
        var room = new TransferRoom(settings);
        var header = new EnvelopeHeader { Kind = EnvelopeKind.Reply, CallId = 1 };
        var transfer = new OutgoingTransfer(header, new PooledBytes(new byte[Size], Size), deadline: 0);
        for (var turn = 0; turn < 8; turn++)
            Assert.True(transfer.TryTakeRoom(room));
        Assert.True(room.TryTake(Size));
        Assert.False(room.TryTake(1));
        transfer.GiveRoomBack(room);
        transfer.GiveRoomBack(room);
        Assert.True(room.TryTake(Size));
        Assert.False(room.TryTake(1));
    }

    /// <summary>True when it was answered, false when it was given up.</summary>
    private static async Task<bool> CallAsync(IStorm storm, Random random, int seed)
    {
        var load = new byte[SizeOf(random)];
        if (load.Length > 0)
            load[^1] = (byte)random.Next(1, 256);
        var answerBytes = SizeOf(random);
        using var stop = new CancellationTokenSource();
        var began = TimeProvider.System.GetTimestamp();
        var call = storm.EchoAsync(load, answerBytes, stop.Token);
        if (random.Next(4) == 0)
        {
            for (var i = random.Next(20); i > 0; i--)
                await Task.Yield();
            await stop.CancelAsync();
        }

        try
        {
            var answer = await call.WaitAsync(Deadline + TimeSpan.FromSeconds(5));
            Assert.Equal(answerBytes, answer.Length);
            if (answerBytes > 0 && load.Length > 0)
                Assert.Equal(load[^1], answer[^1]);
            return true;
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            return false;
        }
        catch (Exception failure)
        {
            var after = TimeProvider.System.GetElapsedTime(began);
            throw new InvalidOperationException(
                $"Seed {seed}: {load.Length} bytes for {answerBytes} ended after {after}.", failure);
        }
    }

    private static int SizeOf(Random random) => random.Next(6) switch
    {
        0 => random.Next(100),
        1 => random.Next(20_000),
        2 => GlueWire.WholeBodyBytesMax + random.Next(-60, 60),
        3 or 4 => random.Next(Limit / 4),
        _ => random.Next(Limit - 200),
    };

    /// <summary>A server and a client that reach each other by one binding.</summary>
    private sealed class Pair(GlueHost host, GlueClient client, IStorm storm) : IAsyncDisposable
    {
        public IStorm Storm => storm;

        public static async Task<Pair> StartAsync(string name)
        {
            var binding = name == OneStream ? SemanticBinding.Link() : SemanticBinding.Of(name);
            var host = await GlueHost.StartAsync(
                options =>
                {
                    options.MaxMessageBytes = Limit;
                    binding.Configure(options);
                },
                glue => glue.AddService<IStorm, Storm>(GlueInstanceMode.Singleton));
            var options = new GlueClientOptions
            {
                MaxMessageBytes = Limit,
                DefaultDeadline = Deadline,
                ConnectTimeout = Deadline,
                HeartbeatInterval = Deadline,
            };
            if (name == OneStream)
                options.ResumeWindow = TimeSpan.Zero;
            binding.Configure(options);
            var client = new GlueClient(options);
            return new Pair(host, client, client.CreateProxy<IStorm>(binding.TargetOf(host.Address)));
        }

        public async ValueTask DisposeAsync()
        {
            await client.DisposeAsync();
            await host.DisposeAsync();
        }
    }
}
