using Cluster.Glue.Filters;

namespace Cluster.Glue.Tests;

/// <summary>Checks how much time a call has left at its server, where the clocks stand still. Stateless.</summary>
internal static class RemainingTimes
{
    /// <summary>Calls, and checks the time that the server had left for it: exactly what is expected over a link. A
    /// unary request has a deadline of gRPC as well, which counts by the system's clock, and the shorter time counts:
    /// there, the time that the request took may be missing.</summary>
    public static async Task CheckAsync(TimeSpan expected, Func<Task<TimeSpan>> call, GlueBinding binding)
    {
        var began = Stopwatch.GetTimestamp();
        var remaining = await call();
        if (binding != GlueBinding.Unary)
        {
            Assert.Equal(expected, remaining);
            return;
        }

        // The header has whole milliseconds.
        var taken = Stopwatch.GetElapsedTime(began) + TimeSpan.FromMilliseconds(1);
        Assert.InRange(remaining, expected - taken, expected);
    }
}
