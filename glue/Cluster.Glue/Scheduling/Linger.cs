namespace Cluster.Glue.Scheduling;

/// <summary>Waits, before a sender ends, until the sent data has arrived: as long as data keeps arriving, up to a
/// limit. Stateless.</summary>
internal static class Linger
{
    /// <summary>Waits until all data has arrived. False: nothing more arrives, or the time limit has passed.</summary>
    /// <param name="arrival">Completes when all data has arrived.</param>
    /// <param name="progress">Returns a different number whenever some data has arrived.</param>
    /// <param name="time">The clock.</param>
    public static async Task<bool> WaitAsync(Task arrival, Func<long> progress, TimeProvider time)
    {
        _ = arrival.MayFailUnseen();
        var began = time.GetTimestamp();
        var last = progress();
        while (!await EndsAsync(arrival, GlueLimits.LingerTime, time).ConfigureAwait(false))
        {
            var next = progress();
            if (next == last || time.GetElapsedTime(began) >= GlueLimits.MaxLingerTime)
                return false;
            last = next;
        }

        return true;
    }

    private static async Task<bool> EndsAsync(Task arrival, TimeSpan waitBudget, TimeProvider time)
    {
        try
        {
            await arrival.WaitAsync(waitBudget, time).ConfigureAwait(false);
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
    }
}
