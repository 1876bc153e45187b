using Cluster.StateStore.Protocol.Coordination;

namespace Cluster.StateStore.Tests.Protocol.Coordination;

public sealed class LeastLoadTests
{
    [Fact]
    public void Value_AfterEachChange_IsTheSmallestLoad()
    {
        for (var seed = 0; seed < 100; seed++)
        {
            var random = new Random(seed);
            var loads = new int[random.Next(1, 8)];
            var least = new LeastLoad(loads.Length);
            for (var step = 0; step < 200; step++)
            {
                var member = random.Next(loads.Length);
                var load = Math.Max(0, loads[member] + random.Next(-3, 4));
                least.Change(loads[member], load);
                loads[member] = load;
                Assert.Equal(loads.Min(), least.Value);
            }
        }
    }
}
