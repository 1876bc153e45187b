namespace Cluster.StateStore.Local;

/// <summary>One write that waits for a key. The wait ends once: granted, refused, or timed out, whichever comes
/// first.</summary>
internal sealed class KeyWaiter
{
    // Continuations run elsewhere: grants are given under the partition's lock.
    private readonly TaskCompletionSource<KeyGrant> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Passes the key to the waiter. False: the waiter's time was over.</summary>
    public bool TryGrant() => _outcome.TrySetResult(KeyGrant.Granted);

    /// <summary>Refuses the waiter, because the partition no longer serves.</summary>
    public void TryRefuse() => _outcome.TrySetResult(KeyGrant.Refused);

    /// <summary>Waits, at most for the limit.</summary>
    public async ValueTask<KeyGrant> WaitAsync(TimeSpan limit, TimeProvider time, CancellationToken cancellationToken)
    {
        try
        {
            return await _outcome.Task.WaitAsync(limit, time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            _outcome.TrySetResult(KeyGrant.TimedOut);
        }
        catch (OperationCanceledException)
        {
            // A grant that came first must not be lost with the waiter: the caller then holds the key and passes it on.
            if (_outcome.TrySetResult(KeyGrant.TimedOut))
                throw;
        }

        return await _outcome.Task.ConfigureAwait(false);
    }
}
