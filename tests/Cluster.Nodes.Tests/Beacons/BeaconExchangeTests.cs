using Cluster.Nodes.Beacons;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Tests.Clocks;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Beacons;

/// <summary>Beacons between nodes that follow the format.</summary>
[Collection(HandleTests.Name)]
public sealed class BeaconExchangeTests : IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly BeaconPair _pair = BeaconPair.Open();

    private BeaconPeer First => _pair.First;

    private BeaconPeer Second => _pair.Second;

    public void Dispose() => _pair.Dispose();

    [Fact]
    public Task Send_Beacon_IsTakenAndAnswered() => CheckAsync(_pair);

    [Fact]
    public async Task Send_OverTls_IsTakenAndAnswered()
    {
        using var pair = BeaconPair.OpenEncrypted();
        await CheckAsync(pair);
    }

    /// <summary>Connection, TLS handshake and beacon need no thread of the pool.</summary>
    [Fact]
    public async Task Send_PoolStarved_IsTakenAndAnsweredOverTls()
    {
        await using var child = StarvedChild.Start(StarvedChild.Beacons);
        await child.WaitForLineAsync(line => line == StarvedChild.Done, Bound);
    }

    [Fact]
    public async Task Send_ManyBeacons_GoOverOneConnection()
    {
        for (var number = 0; number < 100; number++)
            await First.SendUntilAnsweredAsync(Second, number);
        Assert.Equal(Enumerable.Range(0, 100), Second.Taken.Distinct());
        Assert.Equal((1, 1), (Second.Exchange.ConnectedNodes, Second.Endpoint.ConnectionCount));
    }

    [Fact]
    public async Task Send_BeaconThatGetsNoAnswer_DoesNotStopTheNext()
    {
        await CheckAsync(_pair);
        var before = First.Unreachable.Count;
        Second.IsAnswering = false;
        First.Send(Second, 3);
        await Eventually.TrueAsync(() => Second.Taken.Contains(3), Bound);
        Second.IsAnswering = true;
        await First.SendUntilAnsweredAsync(Second, 4);
        Assert.DoesNotContain(3, First.Answers);
        Assert.Equal(before, First.Unreachable.Count);
    }

    /// <summary>Nothing queues up: while a beacon is on its way, only the newest of the others is kept.</summary>
    [Fact]
    public async Task Send_WhileTheReceiverIsBusy_KeepsTheNewestAlone()
    {
        await CheckAsync(_pair);
        using var isFree = new ManualResetEventSlim();
        Second.Taking = isFree.Wait;
        First.Send(Second, 1_000);
        await Eventually.TrueAsync(() => Second.Taken.Contains(1_000), Bound);
        for (var number = 1_001; number <= 1_100; number++)
            First.Send(Second, number);
        isFree.Set();
        await Eventually.TrueAsync(() => First.Answers.Contains(1_100), Bound);
        Assert.Equal([1_000, 1_100], Second.Taken.Where(number => number >= 1_000));
    }

    [Fact]
    public async Task Deliver_TheStateStoreFails_IsLoggedAndTheConnectionGoesOn()
    {
        _pair.Logs.Allow(5071);
        await CheckAsync(_pair);
        var before = First.Unreachable.Count;
        Second.Taking = () => throw new InvalidOperationException("not now");
        First.Send(Second, 3);
        await _pair.Logs.WaitForAsync(5071, Bound);
        Second.Taking = null;
        await First.SendUntilAnsweredAsync(Second, 4);
        Assert.Equal(before, First.Unreachable.Count);
    }

    [Fact]
    public async Task Probe_OfAnEndpointWithBeacons_IsAnswered()
    {
        await CheckAsync(_pair);
        var probe = new LivenessProbe(TimeProvider.System, _pair.Client) { Deadline = Bound };
        for (var round = 0; round < 200; round++)
        {
            Assert.Equal(
                LivenessAnswer.Alive,
                await probe.AskAsync(Second.Endpoint.Address, Second.Node, isEncrypted: false, CancellationToken.None));
        }

        await First.SendUntilAnsweredAsync(Second, 3);
        Assert.Equal(LivenessAnswer.Alive, await probe.AskAsync(
            Second.Endpoint.Address, Second.Node, isEncrypted: false, CancellationToken.None));
    }

    [Fact]
    public async Task Send_AfterARestart_ConnectsAgain()
    {
        await CheckAsync(_pair);
        Second.Reopen();
        var number = 10;
        await Eventually.TrueAsync(
            () =>
            {
                First.Send(Second, ++number);
                return First.Answers.Any(answer => answer > 10);
            },
            Bound);
    }

    [Fact]
    public async Task Send_AnotherLifeListensThere_GetsNothing()
    {
        var other = Second.Member with { Node = NodeId.NewIncarnation("n2") };
        await Eventually.TrueAsync(
            () =>
            {
                First.Exchange.Send(other, BeaconPeer.Beacon(1, 1));
                return First.Unreachable.Contains(other.Node);
            },
            Bound);
        Assert.Empty(Second.Taken);
    }

    [Fact]
    public async Task Send_NobodyListensThere_IsToldAsUnreachable()
    {
        using var closed = new RefusingPort();
        var gone = Second.Member with { LivenessAddress = new LivenessAddress("127.0.0.1", closed.Number, "").ToString() };
        First.Exchange.Send(gone, BeaconPeer.Beacon(1, 1));
        await Eventually.TrueAsync(() => First.Unreachable.Contains(Second.Node), Bound);
    }

    /// <summary>A new connection shows the certificates and secrets that count now.</summary>
    [Fact]
    public async Task Send_OverAnOldConnection_ReplacesIt()
    {
        await CheckAsync(_pair);
        Second.Time.Advance(BeaconLimits.MaxAcceptedAge - TimeSpan.FromTicks(1));
        First.Time.Advance(BeaconLimits.MaxAge - TimeSpan.FromTicks(1));
        await First.SendUntilAnsweredAsync(Second, 3);
        var former = Second.TakenOn;
        First.Time.Advance(TimeSpan.FromTicks(1));
        await First.SendUntilAnsweredAsync(Second, 4);
        Assert.NotSame(former, Second.TakenOn);
        Assert.Equal(1, Second.Exchange.ConnectedNodes);
    }

    /// <summary>A node that does not replace its connection loses it.</summary>
    [Fact]
    public async Task Serve_ConnectionThatIsTooOld_IsClosed()
    {
        await CheckAsync(_pair);
        Second.Time.Advance(BeaconLimits.MaxAcceptedAge);
        await First.SendUntilAnsweredAsync(Second, 3);
        await Eventually.TrueAsync(() => Second.Exchange.ConnectedNodes == 0, Bound);
    }

    [Fact]
    public async Task Keep_TableWithoutTheMember_ClosesBothConnections()
    {
        await CheckAsync(_pair);
        await Second.SendUntilAnsweredAsync(First, 3);
        Second.Exchange.Keep(With(First.Member, Second.Member));
        Assert.Equal((1, 1), (First.Exchange.ConnectedNodes, Second.Exchange.ConnectedNodes));
        Second.Exchange.Keep(With(Second.Member));
        await Eventually.TrueAsync(() => Second.Exchange.ConnectedNodes == 0, Bound);
        await Eventually.TrueAsync(() => First.Exchange.ConnectedNodes == 0, Bound);
    }

    [Fact]
    public async Task Dispose_WhileConnected_EndsAllThreads()
    {
        await CheckAsync(_pair);
        First.Dispose();
        Second.Dispose();
        Assert.Equal((0, 0), (First.Endpoint.ConnectionCount, Second.Endpoint.ConnectionCount));
        First.Send(Second, 3);
        Assert.DoesNotContain(3, Second.Taken);
    }

    private static async Task CheckAsync(BeaconPair pair)
    {
        await pair.First.SendUntilAnsweredAsync(pair.Second, 1);
        await pair.First.SendUntilAnsweredAsync(pair.Second, 2);
        Assert.Equal([1, 2], pair.Second.Taken.Distinct());
    }
}
