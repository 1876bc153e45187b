using Cluster.Contracts.Pacing;
using Cluster.Nodes.Stores;

namespace Cluster.Nodes.Loops;

/// <summary>Repeats one step until it is stopped, with a pause after success and a growing, jittered one after failure.
/// The object that it works for owns it, starts it and stops it. Only the loop writes its state.</summary>
internal sealed partial class BackgroundLoop : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Func<CancellationToken, ValueTask> _step;
    private readonly LoopPace _pace;
    private readonly LoopContext _loops;
    private readonly Backoff _backoff;
    private Task? _running;
    private volatile string? _failure;

    public BackgroundLoop(
        string name, LoopPace pace, LoopContext loops, Func<CancellationToken, ValueTask> step)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(pace.AfterSuccess, TimeSpan.Zero, nameof(pace));
        Name = name;
        _pace = pace;
        _loops = loops;
        _step = step;
        _backoff = new Backoff(pace.AfterFailureMin, pace.AfterFailureMax, loops.CreateJitter(name));
    }

    /// <summary>The purpose of the loop, for messages.</summary>
    public string Name { get; }

    /// <summary>Why the latest step failed, or null when it went well.</summary>
    public string? Failure => _failure;

    public void Start() => _running ??= Task.Run(RunAsync);

    /// <summary>Cancels the running step and waits for its end.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_stop.IsCancellationRequested)
            return;
        await _stop.CancelAsync().ConfigureAwait(false);
        if (_running is not null)
            await _running.ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        var failures = 0;
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await _step(_stop.Token).ConfigureAwait(false);
                failures = 0;
                _backoff.Reset();
                _failure = null;
                await Task.Delay(_pace.AfterSuccess, _loops.Time, _stop.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception failure)
            {
                await PauseAfterFailureAsync(failure, ++failures).ConfigureAwait(false);
            }
        }
    }

    private async Task PauseAfterFailureAsync(Exception failure, int count)
    {
        _failure = failure.Message;

        // A store that is unreachable or emptied is logged once for all loops. Of any other failure the first one and
        // then each doubling is logged: a loop that fails for hours writes a dozen lines.
        var isTold = failure is ClusterStoreException
        {
            Kind: ClusterStoreError.Unreachable or ClusterStoreError.Emptied,
        };
        if (!isTold && int.IsPow2(count))
            LogStepFailed(_loops.Logger, LogText.Clean(Name), count, LogText.Clean(failure));
        await Task.Delay(_backoff.Next(), _loops.Time, _stop.Token)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }
}
