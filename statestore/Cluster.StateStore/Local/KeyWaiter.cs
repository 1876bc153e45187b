namespace Cluster.StateStore.Local;

/// <summary>One write that waits for a key. It ends once, in one of three ways, whichever comes first.</summary>
internal sealed class KeyWaiter
{
    // Continuations run elsewhere: grants are given under the partition's lock.
    private readonly TaskCompletionSource<KeyGrant> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Passes the key to the waiter; false when it has given up already.</summary>
    public bool TryGrant() => _outcome.TrySetResult(KeyGrant.Granted);

    /// <summary>Sends the waiter away because the partition no longer serves.</summary>
    public void TryRefuse() => _outcome.TrySetResult(KeyGrant.Refused);

    /// <summary>Waits, at most so long.</summary>
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
