namespace Cluster.Glue.Scheduling;

/// <summary>Waits for what was sent to arrive before its sender ends: as long as some of it does, within a bound.
/// Stateless.</summary>
internal static class Linger
{
    /// <summary>Waits until all has arrived; false when nothing arrives any more, or the bound is over.</summary>
    /// <param name="arrival">Completes when all has.</param>
    /// <param name="progress">Another number whenever something has.</param>
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
