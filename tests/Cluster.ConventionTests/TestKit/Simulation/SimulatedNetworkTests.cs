using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Network;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>What links do to messages, counted.</summary>
public sealed class SimulatedNetworkTests : ISimulatedEndpoint
{
    private const int MessageCount = 20_000;

    private readonly SimulatedWorld _world = new(11);
    private readonly List<int> _arrived = [];
    private readonly List<TimeSpan> _delays = [];
    private readonly SimulatedNetwork _network;

    public SimulatedNetworkTests()
    {
        _network = new SimulatedNetwork(_world, LinkQuality.Lan);
        _network.Add(this);
        _network.Add(this);
    }

    string ISimulatedEndpoint.Name => "test";

    void ISimulatedEndpoint.Deliver(in SimulatedMessage message)
    {
        _arrived.Add(message.Channel);
        _delays.Add(_world.Now - (TimeSpan)message.Content!);
    }

    [Fact]
    public void GoodLink_DeliversEachMessageOnce_InOrder_Fast()
    {
        SendAll();
        Assert.Equal(Enumerable.Range(0, MessageCount), _arrived);
        Assert.Equal(0, _network.Counts.Overtaking);
        Assert.All(_delays, delay => Assert.True(delay < 20 * LinkQuality.Lan.DelayMax));
        var usual = _delays.Count(delay => delay <= LinkQuality.Lan.DelayMax);
        Assert.InRange(usual, MessageCount * 9 / 10, MessageCount - 1);
    }

    [Fact]
    public void Loss_LosesItsShare()
    {
        SendAll(new LinkQuality { LossChance = 200_000 });
        Assert.InRange(_arrived.Count, MessageCount * 78 / 100, MessageCount * 82 / 100);
        Assert.Equal(MessageCount - _arrived.Count, _network.Counts.Lost);
    }

    [Fact]
    public void Duplication_DeliversItsShareTwice()
    {
        SendAll(new LinkQuality { DuplicationChance = 200_000 });
        Assert.InRange(_arrived.Count, MessageCount * 118 / 100, MessageCount * 122 / 100);
        Assert.Equal(MessageCount, _arrived.Distinct().Count());
        Assert.Equal(_arrived.Count - MessageCount, _network.Counts.Duplicated);
    }

    [Fact]
    public void Reordering_LetsMessagesOvertake()
    {
        SendAll(new LinkQuality { ReorderingChance = 100_000 });
        Assert.Equal(MessageCount, _arrived.Count);
        Assert.InRange(_arrived.Zip(_arrived.Skip(1)).Count(pair => pair.First > pair.Second), 100, MessageCount);
        Assert.InRange(_network.Counts.Overtaking, 100, MessageCount);
    }

    [Fact]
    public void Delay_ChangesTheDelays_UntilItIsTakenBack()
    {
        var slow = new LinkQuality { DelayMin = TimeSpan.FromMilliseconds(5), DelayMax = TimeSpan.FromMilliseconds(40) };
        SendAll(slow);
        Assert.All(_delays, delay => Assert.True(delay >= slow.DelayMin));
        Assert.InRange(_network.Counts.Slow, MessageCount, MessageCount);
        _delays.Clear();
        _network[0, 1].Calm(slow);
        SendAll();
        Assert.True(_delays.Average(delay => delay.TotalMilliseconds) < 1);
    }

    [Fact]
    public void Cut_ConcernsOneDirection_AndEndsWithItsLastHeal()
    {
        var link = _network[0, 1];
        link.Cut();
        link.Cut();
        Send(0, 1, 1);
        Send(1, 0, 2);
        link.Heal();
        Send(0, 1, 3);
        link.Heal();
        Send(0, 1, 4);
        Drain();
        Assert.Equal([2, 4], _arrived.Order());
        Assert.Equal(2, _network.Counts.Cut);
        Assert.Throws<InvalidOperationException>(link.Heal);
    }

    [Fact]
    public void SeveralQualities_TheWorstOfEachKindApplies()
    {
        var lossy = new LinkQuality { LossChance = 10 };
        var slow = new LinkQuality { DelayMax = TimeSpan.FromSeconds(1), LossChance = 5 };
        var link = _network[0, 1];
        link.Disturb(lossy);
        link.Disturb(slow);
        Assert.Equal((10, slow.DelayMax), (link.Quality.LossChance, link.Quality.DelayMax));
        link.Calm(lossy);
        Assert.Equal(5, link.Quality.LossChance);
        link.Calm(slow);
        Assert.Equal(LinkQuality.Lan, link.Quality);
    }

    private void SendAll(LinkQuality? quality = null)
    {
        if (quality is not null)
            _network[0, 1].Disturb(quality);
        for (var number = 0; number < MessageCount; number++)
        {
            Send(0, 1, number);
            _world.Step(_world.Now + TimeSpan.FromMilliseconds(1));
        }

        Drain();
    }

    private void Send(int from, int to, int number) =>
        _network.Send(to, new SimulatedMessage(from, default, number, default, _world.Now));

    private void Drain()
    {
        while (_world.Step(_world.Now + TimeSpan.FromMinutes(1)))
        {
        }
    }
}
