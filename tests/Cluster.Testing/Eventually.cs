namespace Cluster.Testing;

/// <summary>Waits until a condition holds, at most a bound of real time: what tests use instead of sleeping. The
/// condition is asked again every few milliseconds, and a last time when the bound has passed. A bound counts the time
/// in which the machine let the test run: while it stood still or others had it, what is waited for could not come
/// either. Stateless.</summary>
public static class Eventually
{
    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan PauseMax = TimeSpan.FromMilliseconds(25);

    // A question and the pause after it count as this much at most: longer ones are the machine's.
    private static readonly TimeSpan RoundMax = TimeSpan.FromMilliseconds(250);

    /// <summary>Waits until the condition holds; fails the test when it does not within the bound.</summary>
    /// <param name="condition">What to wait for.</param>
    /// <param name="bound">How long at most.</param>
    /// <param name="what">Named in the failure; by default the text of the condition.</param>
    public static Task TrueAsync(
        Func<bool> condition, TimeSpan bound, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        ArgumentNullException.ThrowIfNull(condition);
        return TrueAsync(() => ValueTask.FromResult(condition()), bound, what);
    }

    /// <summary>Waits until the asynchronous condition holds; fails the test when it does not within the
    /// bound.</summary>
    /// <param name="condition">What to wait for.</param>
    /// <param name="bound">How long at most.</param>
    /// <param name="what">Named in the failure; by default the text of the condition.</param>
    public static async Task TrueAsync(
        Func<ValueTask<bool>> condition, TimeSpan bound, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        ArgumentNullException.ThrowIfNull(condition);
        var passed = TimeSpan.Zero;
        var pause = PauseMin;
        while (true)
        {
            // Read before the question, so that a condition that came true during the last pause still counts.
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

    /// <summary>Waits until a probe yields a value; fails the test when it does not within the bound.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="probe">Answers <c>null</c> as long as there is no value.</param>
    /// <param name="bound">How long at most.</param>
    /// <param name="what">Named in the failure; by default the text of the probe.</param>
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
