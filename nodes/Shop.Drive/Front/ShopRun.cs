using Cluster.Nodes;
using Shop.Drive.CommandLine;
using Shop.Drive.Load;
using Shop.Drive.Supervision;
using Shop.Drive.Web;

namespace Shop.Drive.Front;

/// <summary>One run of the shop, from the first process to the summary. It is used once, by one asynchronous flow, and
/// ends everything that it has started.</summary>
internal sealed class ShopRun(ShopOptions options, ShopConsole console, TimeProvider time)
{
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan SettleWaitMax = TimeSpan.FromSeconds(30);

    // With JSON, standard output is for the summary alone.
    private readonly TextWriter _notes = options.IsJson ? console.Error : console.Out;

    private bool IsWatched => console.IsInteractive && !options.IsHeadless;

    /// <summary>Runs the shop.</summary>
    /// <param name="cancellationToken">Canceled when the user ends the run.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="ShopStartException">The shop could not start.</exception>
    /// <exception cref="ClusterStartException">The front could not join the cluster.</exception>
    public async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        // 1. Open the page's port, choose the place of the cluster store, start the nodes.
        using var port = PagePort.Open(options.Port);
        var address = $"http://localhost:{port.EndPoint.Port}";
        await NoteAsync(port.Note).ConfigureAwait(false);
        using var folder = options.ConsulAddress is null ? DataFolder.Open(options.DataFolder) : null;
        var place = new ClusterPlace(options.ClusterName, folder?.Path, options.ConsulAddress);
        await using var supervisor = StartNodes(place);

        // 2. Build the front while the nodes start.
        using var log = new FrontLog(console.Error);
        await using var app = FrontHost.Build(options, place, port, log);
        var cluster = app.Services.GetRequiredService<ICluster>();
        var watch = new ClusterWatch(cluster, time);
        supervisor.Died += node => watch.NoteEnd(node.Name);
        supervisor.Paused += watch.NotePause;
        supervisor.AllowRestarts(() => ReadinessGate.IsReady(cluster.Snapshot, options.NodeCount));
        await using var load = ShopLoad.Compose(app.Services, options, watch, time);
        var meter = new LoadMeter(load, time);
        var ribbon = new EventRibbon(watch, line => NoteAsync(IsWatched ? null : $"      {line}"));
        var sampler = new FiguresSampler(cluster, supervisor, ribbon, meter, time);
        new ShopPage(sampler, supervisor, time).Map(app);

        // 3. Join the cluster and wait until active nodes own all partitions.
        await StartFrontAsync(app, supervisor, cancellationToken).ConfigureAwait(false);
        await ReadinessGate.WaitAsync(cluster, supervisor, time, cancellationToken).ConfigureAwait(false);
        await NoteAsync(IsWatched ? null : $"{options.NodeCount} nodes are ready; shop {address}")
            .ConfigureAwait(false);

        // 4. Let the load run; 5. print the summary.
        var following = ribbon.FollowAsync(cluster, cancellationToken);
        IShopView view = IsWatched ? new LiveView(console, log, address, time) : new ProgressLines(_notes, time);
        await MeasureAsync(load, meter, sampler, supervisor, view, cancellationToken).ConfigureAwait(false);
        await SettleAsync(watch, cancellationToken).ConfigureAwait(false);
        var figures = await sampler.SampleAsync().ConfigureAwait(false);
        return await SumUpAsync(figures, meter.Total, load.Failures).ConfigureAwait(false);
    }

    private NodeSupervisor StartNodes(ClusterPlace place)
    {
        // Node processes inherit the secret from the environment, so it must be set before the first one starts.
        if (place.ConsulAddress is not null)
            RunSecret.Share();
        var names = Enumerable.Range(1, options.NodeCount).Select(static number => $"n{number}").ToArray();
        var supervisor = new NodeSupervisor(
            name => NodeCommand.For(name, place, options.NodeCount, canBootstrap: name == names[0]), time);
        foreach (var name in names)
            supervisor.Start(name);

        return supervisor;
    }

    // If a node ends, its output tells the reason. The front could only report that the node is missing.
    private async Task StartFrontAsync(
        WebApplication app, NodeSupervisor supervisor, CancellationToken cancellationToken)
    {
        using var abandon = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var start = app.StartAsync(abandon.Token);
        try
        {
            while (!start.IsCompleted)
            {
                await Task.WhenAny(start, Task.Delay(Pause, time, CancellationToken.None)).ConfigureAwait(false);
                await ReadinessGate.ThrowIfEndedAsync(supervisor, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (ShopStartException)
        {
            await abandon.CancelAsync().ConfigureAwait(false);
            await start.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }

        await start.ConfigureAwait(false);
    }

    private async Task MeasureAsync(
        LoadGenerator load,
        LoadMeter meter,
        FiguresSampler sampler,
        NodeSupervisor supervisor,
        IShopView view,
        CancellationToken cancellationToken)
    {
        using var duration = new CancellationTokenSource();
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, duration.Token);
        meter.Phase = "warming up";
        load.Start();
        await Task.Delay(WarmUp, time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        meter.Begin();
        meter.Phase = "load";
        using var timer = StartDuration(duration);
        var sampling = sampler.RunAsync(end.Token);
        var killing = KillLaterAsync(supervisor, end.Token);
        await view.ShowAsync(() => sampler.Current, supervisor, end.Token).ConfigureAwait(false);
        await end.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(sampling, killing, load.StopAsync()).ConfigureAwait(false);
        meter.Phase = "ended";
    }

    private ITimer? StartDuration(CancellationTokenSource duration)
    {
        var length = options.Duration ?? (IsWatched ? null : ShopOptions.DurationDefault);
        if (length is not { } span)
            return null;

        return time.CreateTimer(
            static state => ((CancellationTokenSource)state!).Cancel(), duration, span, Timeout.InfiniteTimeSpan);
    }

    private async Task KillLaterAsync(NodeSupervisor supervisor, CancellationToken cancellationToken)
    {
        if (options.KillAfter is not { } delay)
            return;

        await Task.Delay(delay, time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!cancellationToken.IsCancellationRequested && supervisor.Kill(null) is { } name)
            await NoteAsync($"      killed {name}").ConfigureAwait(false);
    }

    // The carts of a killed node are counted as lost when other nodes have taken over its partitions. That may happen
    // after the load has ended.
    private async Task SettleAsync(ClusterWatch watch, CancellationToken cancellationToken)
    {
        var started = time.GetTimestamp();
        while (!cancellationToken.IsCancellationRequested
            && !watch.IsSettled()
            && time.GetElapsedTime(started) < SettleWaitMax)
            await Task.Delay(Pause, time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private async Task<int> SumUpAsync(ShopFigures figures, LoadFigures total, IReadOnlyList<string> failures)
    {
        var seconds = Math.Max(figures.Seconds, 1e-3);
        var summary = new ShopSummary
        {
            Nodes = options.NodeCount,
            Seconds = Math.Round(seconds, 2),
            Calls = total.Calls,
            RemoteCalls = total.RemoteCalls,
            CallsPerSecond = Math.Round(total.Calls / seconds),
            P50Ms = Math.Round(total.Latency.Percentile(0.5).TotalMilliseconds, 3),
            P99Ms = Math.Round(total.Latency.Percentile(0.99).TotalMilliseconds, 3),
            Errors = total.Errors,
            Unavailable = total.Unavailable,
            Sessions = figures.Sessions,
            SessionsLost = figures.SessionsLost,
            PileBytes = figures.PileBytes,
            GcPauseMaxMs = Math.Round(figures.GcPauseMaxMs, 2),
            Killed = figures.Killed,
        };
        foreach (var failure in failures)
            await console.Error.WriteLineAsync($"error: {failure}").ConfigureAwait(false);

        await console.Out.WriteLineAsync(options.IsJson ? summary.ToJson() : summary.ToText()).ConfigureAwait(false);
        return summary.Errors == 0 ? ShopExitCode.Success : ShopExitCode.CallsFailed;
    }

    private async Task NoteAsync(string? line)
    {
        if (line is not null)
            await _notes.WriteLineAsync(line).ConfigureAwait(false);
    }
}
