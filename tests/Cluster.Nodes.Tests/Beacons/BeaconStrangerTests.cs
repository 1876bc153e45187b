using System.Net.Sockets;
using Cluster.Nodes.Beacons;
using Cluster.Nodes.Liveness;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Beacons;

/// <summary>Connections that do not follow the format: they are cut off and counted, and harm no beacon.</summary>
[Collection(HandleTests.Name)]
public sealed class BeaconStrangerTests : IDisposable
{
    private const int Refused = 5070;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly BeaconPair _pair = BeaconPair.Open();
    private readonly List<IDisposable> _owned = [];

    public BeaconStrangerTests() => _pair.Logs.Allow(Refused);

    private BeaconPeer First => _pair.First;

    private BeaconPeer Second => _pair.Second;

    public void Dispose()
    {
        foreach (var one in _owned)
            one.Dispose();
        _pair.Dispose();
    }

    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: somebody\r\nAccept: */*\r\n\r\n")]
    [InlineData("ClsBeat1")]
    [InlineData("x")]
    public async Task Garbage_IsCutOffAndCounted(string text)
    {
        var stranger = Connect();
        stranger.Write(Encoding.ASCII.GetBytes(text));
        stranger.Socket.Shutdown(SocketShutdown.Send);
        await CheckCutOffAsync(stranger);
    }

    [Fact]
    public async Task Silence_IsCutOffAndCounted()
    {
        var stranger = Connect();
        await CheckCutOffAsync(stranger);
    }

    [Fact]
    public async Task HelloWithoutAProof_IsCutOffAndCounted()
    {
        var stranger = Connect();
        stranger.Write("ClsBeat1"u8);
        stranger.Write(new byte[BeaconHandshake.HelloBytes - 8]);
        stranger.ReadExactly(new byte[BeaconHandshake.RandomBytes]);
        stranger.Write(new byte[BeaconHandshake.ProofBytes]);
        await CheckCutOffAsync(stranger);
    }

    [Fact]
    public async Task AnotherSecret_GetsNoProofAndDeliversNothing()
    {
        using var stranger = new BeaconPeer(3, _pair.Logs, _pair.Client, secret: "the secret of somebody else");
        await Eventually.TrueAsync(
            () =>
            {
                stranger.Send(Second, 1);
                return Second.Exchange.RefusedConnections > 0 && stranger.Unreachable.Count > 0;
            },
            Bound);
        Assert.Empty(Second.Taken);
        await CheckBeaconsAsync();
    }

    [Theory]
    [InlineData(uint.MaxValue)]
    [InlineData((uint)BeaconLimits.MaxFrameBytes + 1)]
    [InlineData(0u)]
    public async Task FrameOfAnImpossibleLength_IsCutOffAndCounted(uint length)
    {
        var stranger = Connect(isRead: false);
        BeaconHandshake.Open(stranger, Node(3).Incarnation, Second.Node.Incarnation, First.Trust);
        var bytes = new byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, length);
        stranger.Write(bytes);
        await CheckCutOffAsync(stranger);
        Assert.DoesNotContain(0, Second.Taken);
    }

    [Fact]
    public async Task SecondConnectionOfALife_TakesThePlaceOfTheFirst()
    {
        var former = Connect(isRead: false);
        BeaconHandshake.Open(former, Node(3).Incarnation, Second.Node.Incarnation, First.Trust);
        var newer = Connect(isRead: false);
        BeaconHandshake.Open(newer, Node(3).Incarnation, Second.Node.Incarnation, First.Trust);
        Assert.True(await IsClosedAsync(former));
        BeaconFrame.Write(newer, BeaconPeer.Beacon(3, 7));
        Assert.NotNull(BeaconFrame.Read(newer));
        Assert.Equal([7], Second.Taken);
        Assert.Equal(1, Second.Exchange.ConnectedNodes);
    }

    /// <summary>The oldest of too many silent connections is cut off, so that a node still gets in.</summary>
    [Fact]
    public async Task MoreSilentConnectionsThanThereMayBe_KeepNobodyOut()
    {
        var strangers = Enumerable.Range(0, LivenessConnections.MaxWaiting + 20)
            .Select(_ => Connect(isRead: false)).ToArray();
        await CheckBeaconsAsync();
        Assert.True(await IsClosedAsync(strangers[0]));
    }

    [Fact]
    public async Task PausedNode_DoesNotDelayBeaconsForOthers()
    {
        const int Count = 50;

        // The kernel accepts the connection, but nothing answers.
        var paused = Listen();
        var member = MemberAt(paused, 3);
        var watch = Stopwatch.StartNew();
        for (var number = 0; number < Count; number++)
        {
            First.Exchange.Send(member, BeaconPeer.Beacon(1, number));
            await First.SendUntilAnsweredAsync(Second, number);
        }

        // Each beacon for the paused node takes the whole time for an answer.
        Assert.InRange(watch.Elapsed, TimeSpan.Zero, Count / 2 * BeaconLimits.ExchangeTimeout);
    }

    /// <summary>The other side has vanished without a word: the connection looks open, but nothing comes back.</summary>
    [Fact]
    public async Task HalfOpenConnection_IsGivenUpAndReplaced()
    {
        var listener = Listen();
        var member = MemberAt(listener, 3);
        First.Exchange.Send(member, BeaconPeer.Beacon(1, 1));
        var first = Own(await listener.AcceptTcpClientAsync().WaitAsync(Bound));
        Assert.Equal(First.Node.Incarnation, Accept(first));
        Assert.Equal(BeaconPeer.Beacon(1, 1), BeaconFrame.Read(first.GetStream()));

        // The first beacon is never answered.
        await Eventually.TrueAsync(() => First.Unreachable.Contains(member.Node), Bound);
        First.Exchange.Send(member, BeaconPeer.Beacon(1, 2));
        var second = Own(await listener.AcceptTcpClientAsync().WaitAsync(Bound));
        Assert.Equal(First.Node.Incarnation, Accept(second));
        Assert.Equal(BeaconPeer.Beacon(1, 2), BeaconFrame.Read(second.GetStream()));
        Assert.Null(BeaconFrame.Read(first.GetStream()));
    }

    private Guid? Accept(TcpClient accepted)
    {
        accepted.GetStream().Write(LivenessGreeting.Encode(Node(3).Incarnation));
        return BeaconHandshake.Accept(accepted.GetStream(), Node(3).Incarnation, Second.Trust);
    }

    private ClusterMember MemberAt(TcpListener listener, int number) => Second.Member with
    {
        Slot = Slot(number),
        Node = Node(number),
        LivenessAddress = $"127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}",
    };

    private TcpListener Listen()
    {
        var listener = Own(new TcpListener(IPAddress.Loopback, 0));
        listener.Start();
        return listener;
    }

    // Connects to the second node, and reads its greeting.
    private NetworkStream Connect(bool isRead = true)
    {
        var client = Own(new TcpClient());
        client.Connect(IPAddress.Loopback, Second.Endpoint.Address.Port);
        if (isRead)
        {
            var greeting = new byte[LivenessGreeting.LengthBytes];
            client.GetStream().ReadExactly(greeting);
            Assert.Equal(Second.Node.Incarnation, LivenessGreeting.Decode(greeting));
        }

        return client.GetStream();
    }

    private T Own<T>(T owned)
        where T : IDisposable
    {
        _owned.Add(owned);
        return owned;
    }

    private async Task CheckCutOffAsync(NetworkStream stranger)
    {
        Assert.True(await IsClosedAsync(stranger));
        await Eventually.TrueAsync(() => Second.Exchange.RefusedConnections == 1, Bound);
        await CheckBeaconsAsync();
    }

    private Task CheckBeaconsAsync() => First.SendUntilAnsweredAsync(Second, 1_000);

    // Reads to the end, which may be a reset.
    private static async Task<bool> IsClosedAsync(NetworkStream stream)
    {
        try
        {
            var buffer = new byte[256];
            while (await stream.ReadAsync(buffer).AsTask().WaitAsync(Bound) > 0)
            {
                // What came before the end does not count.
            }

            return true;
        }
        catch (IOException)
        {
            return true;
        }
    }
}
