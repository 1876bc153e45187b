using Shop.Drive.Supervision;

namespace Shop.Drive.Front;

/// <summary>Prints a plain line every few seconds. Used where no live view is drawn. Used by one loop.</summary>
internal sealed class ProgressLines(TextWriter output, TimeProvider time) : IShopView
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(2);

    public async Task ShowAsync(Func<ShopFigures> figures, INodeControl control, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(Interval, time);
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false))
                await output.WriteLineAsync(Describe(figures())).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The run is over.
        }
    }

    public static string Describe(ShopFigures figures)
    {
        var active = figures.Nodes.Count(static node => node.IsRunning);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{figures.Seconds,4:0} s  nodes {active}/{figures.Nodes.Length}  {figures.CallsPerSecond,7:N0} calls/s  "
            + $"p50 {figures.P50Ms:0.00} ms  p99 {figures.P99Ms:0.00} ms  errors {figures.Errors}  "
            + $"unavailable {figures.Unavailable}  sessions {figures.Sessions:N0} (lost {figures.SessionsLost:N0})  "
            + $"pile {figures.PileBytes / 1048576.0:0.0} MiB  longest GC pause {figures.GcPauseMaxMs:0.0} ms");
    }
}
