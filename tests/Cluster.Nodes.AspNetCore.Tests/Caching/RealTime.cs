using Cluster.Testing;

namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>Time that really passes. Stateless.</summary>
internal static class RealTime
{
    private static readonly TimeSpan Slack = TimeSpan.FromSeconds(30);

    /// <summary>Waits until a time has passed.</summary>
    public static async Task PassAsync(TimeSpan time)
    {
        var began = Stopwatch.GetTimestamp();
        await Eventually.TrueAsync(() => Stopwatch.GetElapsedTime(began) >= time, time + Slack);
    }
}
