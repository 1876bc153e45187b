using Cluster.Contracts.Pacing;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Hosting;

/// <summary>Decides how long operations wait between attempts. Shared by all operations of a router;
/// thread-safe.</summary>
internal sealed class RetryPacer(ITableView view, StateRouterOptions options)
{
    private readonly Jitter _jitter = new(options.Seed);
    private readonly TimeProvider _time = options.Time;

    /// <summary>Starts the clock of one operation.</summary>
    public RetryPace Start() => new(this);

    /// <summary>The timestamp of this moment.</summary>
    public long Now => _time.GetTimestamp();

    /// <summary>The time that has passed.</summary>
    /// <param name="timestamp">An earlier timestamp.</param>
    public TimeSpan Since(long timestamp) => _time.GetElapsedTime(timestamp);

    /// <summary>The rest of the operation's deadline, and never less than the longest wait.</summary>
    public TimeSpan LeftSince(long started)
    {
        var left = options.Deadline - _time.GetElapsedTime(started);
        return left > options.MaxBackOff ? left : options.MaxBackOff;
    }

    /// <summary>Creates the source that cancels an attempt when its time is over.</summary>
    public CancellationTokenSource StartDeadline(TimeSpan left) => new(left, _time);

    /// <summary>Waits for a newer table, or for the pause after that many failures. False, without a wait: the deadline
    /// has passed.</summary>
    public async ValueTask<bool> WaitAsync(
        long started, int failures, long tableVersion, CancellationToken cancellationToken)
    {
        var left = options.Deadline - _time.GetElapsedTime(started);
        if (left <= TimeSpan.Zero)
            return false;
        var wait = _jitter.Spread(Backoff.Pause(options.MinBackOff, options.MaxBackOff, failures));
        using var timeout = new CancellationTokenSource(wait < left ? wait : left, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            await view.WaitForNewerAsync(tableVersion, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // The pause is over. That is as good a reason to try again as a newer table.
        }

        return true;
    }
}
