using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Coordination;
using static Cluster.StateStore.Tests.Hosting.Tables.TableFixture;

namespace Cluster.StateStore.Tests.Protocol.Coordination;

public sealed class SetAsideTests
{
    private readonly SetAside _setAside = new(new ProtocolTimes());

    [Fact]
    public void Failed_AgainAndAgain_DoublesTheTimeUpToTheMost()
    {
        var (now, expected) = (0L, 1);
        for (var failure = 0; failure < 10; failure++)
        {
            _setAside.Failed(Slot(1), now);
            Assert.True(_setAside.Contains(Slot(1), now + (expected * TimeSpan.TicksPerSecond) - 1));
            now += expected * TimeSpan.TicksPerSecond;
            Assert.False(_setAside.Contains(Slot(1), now));
            expected = Math.Min(2 * expected, 60);
        }

        Assert.False(_setAside.Contains(Slot(2), now));
    }

    [Fact]
    public void Failed_DuringTheWait_CountsOnce()
    {
        _setAside.Failed(Slot(1), 0);
        _setAside.Failed(Slot(1), TimeSpan.TicksPerSecond / 2);
        Assert.False(_setAside.Contains(Slot(1), TimeSpan.TicksPerSecond));
    }

    [Fact]
    public void Failed_LongAfterTheLastOne_BeginsAgain()
    {
        _setAside.Failed(Slot(1), 0);
        _setAside.Failed(Slot(1), 62 * TimeSpan.TicksPerSecond);
        Assert.False(_setAside.Contains(Slot(1), 63 * TimeSpan.TicksPerSecond));
    }
}
