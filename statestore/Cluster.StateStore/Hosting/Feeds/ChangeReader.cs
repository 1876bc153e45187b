using System.Threading.Channels;
using Cluster.StateStore.Changes;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Hosting.Feeds;

/// <summary>Makes the changes of a user of what watches tell, and waits while the user is behind. Used by one watch and
/// one reader.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
/// <param name="state">The state.</param>
/// <param name="set">The first partition of its set.</param>
/// <param name="read">Reads a value of a key, of which it gets the hash.</param>
internal sealed class ChangeReader<TKey, TValue>(
    StateDefinition<TKey, TValue> state,
    PartitionId set,
    Func<ulong, ReadOnlyMemory<byte>, CancellationToken, ValueTask<TValue>> read) : IFeedReader
    where TKey : notnull
{
    // The node keeps what comes while the user is behind, and no more than a bound.
    private const int ChangesMax = 1_024;

    private readonly Channel<StateChange<TKey, TValue>> _changes =
        Channel.CreateBounded<StateChange<TKey, TValue>>(ChangesMax);

    private readonly List<(StateChange<TKey, TValue> Change, ReadOnlyMemory<byte> Value)> _drawn = [];

    /// <summary>The changes.</summary>
    public ChannelReader<StateChange<TKey, TValue>> Changes => _changes.Reader;

    /// <inheritdoc />
    public void Begun(int index) => _drawn.Add((
        new StateChange<TKey, TValue>(
            StateChangeKind.Began, new PartitionId(set.Value + index), default, default, StateVersion.None),
        default));

    /// <inheritdoc />
    public void Changed(in FeedChange change)
    {
        var kind = change.Kind switch
        {
            EntryKind.Put => StateChangeKind.Stored,
            EntryKind.Remove => StateChangeKind.Removed,
            _ => StateChangeKind.Expired,
        };
        var told = new StateChange<TKey, TValue>(
            kind,
            new PartitionId(set.Value + change.Index),
            state.KeyFrom(change.Key.Span),
            default,
            new StateVersion(change.Version));
        _drawn.Add((told, change.Value));
    }

    /// <inheritdoc />
    public void Confirmed(int index, long at)
    {
        // Only who keeps copies has to know how old they are.
    }

    /// <inheritdoc />
    public async ValueTask DrainAsync(CancellationToken cancellationToken)
    {
        foreach (var (told, bytes) in _drawn)
        {
            var change = told;
            if (told.Kind == StateChangeKind.Stored)
                change = told with { Value = await read(0, bytes, cancellationToken).ConfigureAwait(false) };
            await _changes.Writer.WriteAsync(change, cancellationToken).ConfigureAwait(false);
        }

        _drawn.Clear();
    }

    /// <summary>Ends the changes when the watch ends, with its failure.</summary>
    public void EndWith(Task watch) => _ = watch.ContinueWith(
        ended => _changes.Writer.TryComplete(ended.Exception?.InnerException),
        CancellationToken.None,
        TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);
}
