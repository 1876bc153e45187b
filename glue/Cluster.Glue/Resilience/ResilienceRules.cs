using Cluster.Glue.Settings;

namespace Cluster.Glue.Resilience;

/// <summary>Finds all problems in the resilience options of a proxy at once. Pure.</summary>
internal static class ResilienceRules
{
    private const int RetriesHighest = 10;
    private const int HedgesHighest = 5;
    private const int WaitingHighest = 1_000_000;

    // Polly's own bound for breakers.
    private static readonly TimeSpan BreakerLowest = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1);

    public static IEnumerable<string> ProblemsOf(GlueResilienceOptions options) =>
        ProblemsOf(options.Retry)
            .Concat(ProblemsOf(options.Hedging))
            .Concat(ProblemsOf(options.Breaker))
            .Concat(ProblemsOf(options.Bulkhead));

    public static IEnumerable<string> CheckRatio(string path, double value, bool mayBeZero)
    {
        if (!(value <= 1 && (value > 0 || (value == 0 && mayBeZero))))
        {
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"{path} is {value}; set it to a number {(mayBeZero ? "from" : "above")} 0 up to 1.");
        }
    }

    private static IEnumerable<string> ProblemsOf(GlueRetryOptions? retry) => retry is null
        ? []
        : OptionRange.Check("Retry.MaxRetryAttempts", retry.MaxRetryAttempts, 1, RetriesHighest)
            .Concat(OptionRange.Check("Retry.Delay", retry.Delay, TimeSpan.Zero, Minute))
            .Concat(OptionRange.Check("Retry.MaxDelay", retry.MaxDelay, TimeSpan.Zero, LinkOptionRules.Minutes));

    private static IEnumerable<string> ProblemsOf(GlueHedgingOptions? hedging) => hedging is null
        ? []
        : OptionRange.Check(
                "Hedging.Delay", hedging.Delay, TimeSpan.FromMilliseconds(1), LinkOptionRules.Minutes)
            .Concat(OptionRange.Check("Hedging.MaxHedges", hedging.MaxHedges, 1, HedgesHighest));

    private static IEnumerable<string> ProblemsOf(GlueBreakerOptions? breaker) => breaker is null
        ? []
        : CheckRatio("Breaker.FailureRatio", breaker.FailureRatio, mayBeZero: false)
            .Concat(OptionRange.Check("Breaker.MinCalls", breaker.MinCalls, 2, WaitingHighest))
            .Concat(OptionRange.Check("Breaker.Window", breaker.Window, BreakerLowest, LinkOptionRules.Minutes))
            .Concat(OptionRange.Check("Breaker.Pause", breaker.Pause, BreakerLowest, LinkOptionRules.Minutes));

    private static IEnumerable<string> ProblemsOf(GlueBulkheadOptions? bulkhead) => bulkhead is null
        ? []
        : OptionRange.Check("Bulkhead.MaxCalls", bulkhead.MaxCalls, 1, GlueLimits.CallsInFlightHighest)
            .Concat(OptionRange.Check("Bulkhead.MaxWaiting", bulkhead.MaxWaiting, 0, WaitingHighest));
}
