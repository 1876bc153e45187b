using Shop.Drive.Supervision;
using Spectre.Console;

namespace Shop.Drive.Front;

/// <summary>Draws the shop on a terminal twice a second, and reads keys. The front's log holds its lines back
/// meanwhile; the newest are drawn below the view. Used by one loop.</summary>
internal sealed class LiveView(ShopConsole console, FrontLog log, string address, TimeProvider time) : IShopView
{
    private const int LogLineCountMax = 3;
    private const double Mebibyte = 1024 * 1024;
    private static readonly TimeSpan KeyInterval = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan DrawInterval = TimeSpan.FromMilliseconds(500);

    private string _lastAction = "";

    public async Task ShowAsync(Func<ShopFigures> figures, INodeControl control, CancellationToken cancellationToken)
    {
        log.Hold();
        try
        {
            await console.Screen.Live(Draw(figures()))
                .StartAsync(live => RunAsync(live, figures, control, cancellationToken)).ConfigureAwait(false);
        }
        finally
        {
            log.Release();
        }
    }

    private async Task RunAsync(
        LiveDisplayContext live, Func<ShopFigures> figures, INodeControl control, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(KeyInterval, time);
        var drawn = time.GetTimestamp();
        try
        {
            while (await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false))
            {
                var key = console.TryReadKey();
                if (key == 'q')
                    return;

                if (Act(key, control) || time.GetElapsedTime(drawn) >= DrawInterval)
                {
                    live.UpdateTarget(Draw(figures()));
                    drawn = time.GetTimestamp();
                }
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The run is over.
        }
    }

    private bool Act(char? key, INodeControl control)
    {
        switch (key)
        {
            case 'k':
                _lastAction = control.Kill(null) is { } killed ? $"killed {killed}" : "no node is left to kill";
                return true;
            case 'r':
                _lastAction = control.Restart(null) is { } started
                    ? $"restarted {started}"
                    : control.RestartAll() ? "all nodes restart, one by one" : "the nodes restart already";
                return true;
            case 'p':
                _lastAction = control.Pause(null) is { } paused
                    ? $"paused {paused} for {NodeSupervisor.PauseTime.TotalSeconds:0} s"
                    : "no node can be paused";
                return true;
            default:
                return false;
        }
    }

    private Rows Draw(ShopFigures figures) => new(
        DrawNodes(figures),
        new Text(string.Create(
            CultureInfo.InvariantCulture,
            $"{figures.Phase}: {figures.CallsPerSecond:N0} calls/s  p50 {figures.P50Ms:0.00} ms  "
            + $"p99 {figures.P99Ms:0.00} ms  errors {figures.Errors:N0}  unavailable {figures.Unavailable:N0}")),
        new Text(string.Create(
            CultureInfo.InvariantCulture,
            $"sessions {figures.Sessions:N0}, lost {figures.SessionsLost:N0}  "
            + $"longest GC pause {figures.GcPauseMaxMs:0.0} ms  pile {figures.PileBytes / Mebibyte:0.0} MiB")),
        DrawEvents(figures),
        new Text($"shop {address}   k = kill a node, p = pause one, r = restart, q = quit   {_lastAction}"),
        DrawLog());

    private static Table DrawNodes(ShopFigures figures)
    {
        var table = new Table().RoundedBorder()
            .AddColumns("node", "address", "state", "partitions", "carts", "pile MiB");
        foreach (var node in figures.Nodes)
        {
            table.AddRow(
                new Text(node.Name),
                new Text(node.Address),
                new Text(node.State, StyleOf(node)),
                new Text(node.Partitions.ToString("N0", CultureInfo.InvariantCulture)),
                new Text(node.Entries.ToString("N0", CultureInfo.InvariantCulture)),
                new Text(string.Create(
                    CultureInfo.InvariantCulture,
                    $"{node.PileBytes / Mebibyte:0.0} / {node.PileBudgetBytes / Mebibyte:N0}")));
        }

        return table;
    }

    private static Style StyleOf(NodeFigures node) =>
        new(node.State == "active" ? Color.Green : node.IsRunning ? Color.Yellow : Color.Red);

    private static Rows DrawEvents(ShopFigures figures) =>
        new Rows(figures.Events.Select(static text => new Text($"- {text}", new Style(Color.Grey))));

    // Only the first line of each entry is drawn: a stack trace would push the view off the screen.
    private Rows DrawLog() => new(log.Newest(LogLineCountMax).Select(static entry =>
        new Text(entry.Split(Environment.NewLine)[0], new Style(Color.Yellow)).Overflow(Overflow.Ellipsis)));
}
