using Cluster.StateStore;
using Cluster.StateStore.Hosting;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>The entries that the cluster has. Failures of the cluster are logged and count as a miss, as in the stock
/// hybrid cache. Thread-safe.</summary>
internal sealed class ClusterEntries(
    [FromKeyedServices(HybridEntry.StateName)] IPartitionedState<string, HybridEntry> entries,
    TagGenerations generations,
    SharedEntries shared,
    HybridRefusals refusals)
{
    private const int MaxAttempts = 4;

    /// <summary>Finds an entry that counts among those that readers of this process share.</summary>
    public HybridEntry? FindShared(string key) => shared.Find(key);

    /// <summary>Finds an entry that counts. Null: there is none, or the cluster does not answer.</summary>
    /// <param name="key">The key.</param>
    /// <param name="sharedLife">How long readers of this process may share its value; zero: not at all.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async ValueTask<HybridEntry?> FindAsync(
        string key, TimeSpan sharedLife, CancellationToken cancellationToken)
    {
        try
        {
            var mark = sharedLife > TimeSpan.Zero ? Mark(key) : default;
            if (await entries.GetAsync(key, cancellationToken).ConfigureAwait(false) is not { } entry)
                return null;
            var marks = SharedValue.IsShareable(entry.Value) ? generations.Mark(mark, entry) : [];
            if (!await generations.IsCurrentAsync(entry, cancellationToken).ConfigureAwait(false))
                return null;
            if (NearMark.AreValid(marks, sharedLife))
                shared.Keep(key, entry, marks, sharedLife);
            return entry;
        }
        catch (StateException failure)
        {
            refusals.NoteReadFailure(failure);
            return null;
        }
    }

    /// <summary>Gives the value of an entry. Where there is none that counts, one caller of the whole cluster makes
    /// it.</summary>
    /// <param name="key">The key.</param>
    /// <param name="begin">Gives a factory that has not run yet.</param>
    /// <param name="expiry">When a new entry goes away.</param>
    /// <param name="cancellationToken">Ends the wait of this caller.</param>
    public async ValueTask<T> GetOrAddAsync<TState, T>(
        string key, Func<FactoryRun<TState, T>> begin, StateExpiry expiry, CancellationToken cancellationToken)
    {
        // Each further attempt follows an entry that counts no more, or a load that another caller has given up.
        for (var attempt = 1; attempt < MaxAttempts; attempt++)
        {
            var (isDone, value) = await TryGetOrAddAsync(key, begin(), expiry, cancellationToken)
                .ConfigureAwait(false);
            if (isDone)
                return value;
        }

        return await begin().RunAsync().ConfigureAwait(false);
    }

    /// <summary>Stores an entry, whatever was there before.</summary>
    public async ValueTask PutAsync(
        string key, HybridEntry entry, StateExpiry expiry, CancellationToken cancellationToken)
    {
        try
        {
            await entries.PutAsync(key, entry, expiry, cancellationToken).ConfigureAwait(false);
        }
        catch (StateException failure)
        {
            refusals.NoteWriteFailure(failure);
        }
    }

    /// <summary>Removes an entry.</summary>
    public async ValueTask RemoveAsync(string key, CancellationToken cancellationToken) =>
        await entries.RemoveAsync(key, cancellationToken).ConfigureAwait(false);

    private NearMark Mark(string key) => (entries as IMarkedState<string>)?.Mark(key) ?? default;

    private async ValueTask<(bool IsDone, T Value)> TryGetOrAddAsync<TState, T>(
        string key, FactoryRun<TState, T> run, StateExpiry expiry, CancellationToken cancellationToken)
    {
        try
        {
            var entry = await entries.GetOrAddAsync(
                key, (_, time) => run.LoadAsync(generations, time), expiry, cancellationToken).ConfigureAwait(false);
            if (run.HasValue)
                return (true, run.Value);
            if (entry is null)
                return (false, default!);
            if (await generations.IsCurrentAsync(entry, cancellationToken).ConfigureAwait(false)
                && entry.TryTake(out T value))
            {
                return (true, value);
            }

            await entries.UpdateAsync(key, new DropEntry(entry.Stamp), cancellationToken).ConfigureAwait(false);
            return (false, default!);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // Where the factory of another caller was cancelled, this caller tries again.
            run.ThrowIfFailed();
            return (false, default!);
        }
        catch (StateException failure)
        {
            run.ThrowIfFailed();
            refusals.NoteWriteFailure(failure);
            return (true, await run.RunAsync().ConfigureAwait(false));
        }
    }
}
