using Cluster.Contracts.Pacing;
using Cluster.Nodes.Consul.Client;

namespace Cluster.Nodes.Consul.Storage;

/// <summary>Watches the small version key by long polls against any server. Keeps Consul's index from poll to poll,
/// starts over when it goes backwards, and paces itself: a bucket for answers that come too fast, a growing pause after
/// failures. Owned by the store; a private lock protects its state.</summary>
internal sealed class VersionWatch(
    ConsulClient consul, TableKeys table, string key, TimeProvider time, Jitter jitter)
{
    private readonly Lock _lock = new();
    private readonly TokenBucket _bucket = new(ConsulLimits.PollBurst, ConsulLimits.PollsPerSecond, time);
    private (ulong Index, long Version) _seen;
    private int _failures;

    /// <summary>Waits until the version is higher than the one known, or the key is missing, at most about one long
    /// poll.</summary>
    public async Task WaitAsync(long knownVersion, CancellationToken cancellationToken)
    {
        var started = time.GetTimestamp();

        var index = IndexFor(knownVersion);
        while (true)
        {
            await PauseAsync(cancellationToken).ConfigureAwait(false);
            var reply = await AskAsync(index, cancellationToken).ConfigureAwait(false);
            if (reply.Status == HttpStatusCode.NotFound)
                return;
            var version = table.ParseVersion(reply.Body, key);
            index = Advance(index, reply.Index);
            lock (_lock)
                _seen = (index, version);
            if (version > knownVersion || time.GetElapsedTime(started) >= ConsulLimits.PollWait)
                return;
        }
    }

    // An index that came with a newer version than the caller knows would hide that version: then ask without one.
    private ulong IndexFor(long knownVersion)
    {
        lock (_lock)
            return _seen.Version <= knownVersion ? _seen.Index : 0;
    }

    private async Task PauseAsync(CancellationToken cancellationToken)
    {
        int failures;
        lock (_lock)
            failures = _failures;
        if (failures > 0)
        {
            var pause = Backoff.Pause(ConsulLimits.PollDelayMin, ConsulLimits.PollDelayMax, failures - 1);
            await Task.Delay(jitter.Spread(pause), time, cancellationToken).ConfigureAwait(false);
        }

        await _bucket.TakeAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task<ConsulReply> AskAsync(ulong index, CancellationToken cancellationToken)
    {
        try
        {
            var reply = await consul.PollKeyAsync(key, index, cancellationToken).ConfigureAwait(false);
            lock (_lock)
                _failures = 0;
            return reply;
        }
        catch (Exception failure) when (failure is not OperationCanceledException)
        {
            // The servers may begin anew before they answer again. Their index is lower then, and a poll with the old
            // one would not see for its whole time that the key is gone.
            lock (_lock)
                (_seen, _failures) = (default, _failures + 1);
            throw;
        }
    }

    // Zero would make Consul answer at once for ever; an index that goes backwards belongs to an older life of the
    // servers.
    private static ulong Advance(ulong index, ulong answered) => answered < index ? 0 : Math.Max(1, answered);
}
