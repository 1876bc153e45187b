using Cluster.Nodes.Consul.Client;
using Cluster.Testing;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>If Consul has no leader for a while, one warning is logged per occasion.</summary>
public sealed class LeaderWatchTests : IDisposable
{
    private const int Leaderless = 5801;

    private readonly LogRecorder _logs = new LogRecorder().Allow(Leaderless);
    private readonly ManualTimeProvider _time = new();

    public void Dispose() => _logs.Dispose();

    [Fact]
    public void Leader_MissingForLong_IsToldOncePerOccasion()
    {
        var watch = new LeaderWatch(_time, _logs.CreateLogger<LeaderWatch>());

        Miss(watch, TimeSpan.FromSeconds(4));
        Assert.Empty(_logs.Entries);
        Miss(watch, TimeSpan.FromSeconds(20));
        Assert.Single(_logs.Entries);
        watch.SeenLeader();
        Miss(watch, TimeSpan.FromSeconds(4));
        Assert.Single(_logs.Entries);
        Miss(watch, TimeSpan.FromSeconds(20));
        Assert.Equal(2, _logs.Entries.Count);
    }

    private void Miss(LeaderWatch watch, TimeSpan span)
    {
        for (var second = 0; second <= span.TotalSeconds; second++)
        {
            watch.MissedLeader();
            _time.Advance(TimeSpan.FromSeconds(1));
        }
    }
}
