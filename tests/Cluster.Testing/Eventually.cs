namespace Cluster.Testing;

/// <summary>Waits in real time until a condition holds, up to a bound. Tests use it instead of sleeping. It checks the
/// condition every few milliseconds, and a last time when the bound has passed. A bound counts only the time in which
/// the machine let the test run: while the machine stood still or ran other processes, the awaited event could not
/// happen either. Stateless.</summary>
public static class Eventually
{
    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan PauseMax = TimeSpan.FromMilliseconds(25);

    // One check and the pause after it count as at most this time. If they took longer, the machine was busy.
    private static readonly TimeSpan RoundMax = TimeSpan.FromMilliseconds(250);

    /// <summary>Waits until the condition holds. Fails the test if it does not hold within the bound.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="bound">The maximum wait.</param>
    /// <param name="what">The name of the condition in the failure; by default its source text.</param>
    public static Task TrueAsync(
        Func<bool> condition, TimeSpan bound, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        ArgumentNullException.ThrowIfNull(condition);
        return TrueAsync(() => ValueTask.FromResult(condition()), bound, what);
    }

    /// <summary>Waits until the asynchronous condition holds. Fails the test if it does not hold within the
    /// bound.</summary>
    /// <param name="condition">The condition.</param>
    /// <param name="bound">The maximum wait.</param>
    /// <param name="what">The name of the condition in the failure; by default its source text.</param>
    public static async Task TrueAsync(
        Func<ValueTask<bool>> condition, TimeSpan bound, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        ArgumentNullException.ThrowIfNull(condition);
        var passed = TimeSpan.Zero;
        var pause = PauseMin;
        while (true)
        {
            // Decided before the check, so that a condition that became true during the last pause still counts.
            var isLast = passed >= bound;
            var began = Stopwatch.GetTimestamp();
            if (await condition().ConfigureAwait(false))
                return;

            if (isLast)
                throw new Xunit.Sdk.XunitException($"Not within {bound.TotalSeconds:0.###} s: {what}");

            await Task.Delay(pause, TimeProvider.System).ConfigureAwait(false);
            var round = Stopwatch.GetElapsedTime(began);
            passed += round < RoundMax ? round : RoundMax;
            pause = pause * 2 < PauseMax ? pause * 2 : PauseMax;
        }
    }

    /// <summary>Waits until a probe returns a value. Fails the test if it returns none within the bound.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="probe">Returns <c>null</c> as long as there is no value.</param>
    /// <param name="bound">The maximum wait.</param>
    /// <param name="what">The name of the probe in the failure; by default its source text.</param>
    public static async Task<T> ValueAsync<T>(
        Func<T?> probe, TimeSpan bound, [CallerArgumentExpression(nameof(probe))] string what = "")
        where T : class
    {
        ArgumentNullException.ThrowIfNull(probe);
        T? found = null;
        await TrueAsync(() => (found = probe()) is not null, bound, what).ConfigureAwait(false);
        return found!;
    }
}
