using Cluster.Contracts.Pacing;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.Feeds;

/// <summary>Watches one state at all nodes that own partitions of it: one endless question to each. Its user owns
/// it.</summary>
internal sealed class FeedClient : IAsyncDisposable
{
    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan PauseMax = TimeSpan.FromMilliseconds(500);

    private readonly FeedSource _source;
    private readonly StateDefinition _state;
    private readonly IFeedReader _reader;
    private readonly bool _withValues;
    private readonly FeedTracker _tracker;
    private readonly SemaphoreSlim _turn = new(1);
    private readonly Jitter _jitter = new();
    private readonly CancellationTokenSource _ended = new();
    private readonly Task _run;

    /// <summary>Begins to watch.</summary>
    /// <param name="source">Where the nodes are found.</param>
    /// <param name="state">The state.</param>
    /// <param name="withValues">Whether changes bring values along.</param>
    /// <param name="reader">Gets what is told.</param>
    public FeedClient(FeedSource source, StateDefinition state, bool withValues, IFeedReader reader)
    {
        (_source, _state, _withValues, _reader) = (source, state, withValues, reader);
        _tracker = new FeedTracker(source.Hash.PartitionCount);
        _run = Task.Run(() => RunAsync(_ended.Token));
    }

    /// <summary>Ends when the state cannot be watched; it fails then.</summary>
    public Task Completion => _run;

    /// <inheritdoc />
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        await _run.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _ended.Dispose();
        _turn.Dispose();
    }

    private async Task RunAsync(CancellationToken cancellationToken)
    {
        var watches = new Dictionary<NodeId, Task>();
        using var failed = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            while (true)
            {
                var table = _source.View.Current;
                foreach (var (node, ended) in watches)
                {
                    if (ended.IsCompletedSuccessfully)
                        watches.Remove(node);
                }

                foreach (var owner in FindOwners(table))
                {
                    if (!watches.ContainsKey(owner.Node))
                        watches[owner.Node] = WatchAsync(owner, failed);
                }

                // A watch that ends at the moment at which its node becomes an owner again must begin anew.
                var newer = _source.View.WaitForNewerAsync(table.Version, failed.Token).AsTask();
                await Task.WhenAny([newer, .. watches.Values]).ConfigureAwait(false);
                failed.Token.ThrowIfCancellationRequested();
            }
        }
        catch (OperationCanceledException) when (failed.IsCancellationRequested)
        {
            // The user has ended the watch, or a node has refused it: then its task has failed.
        }

        await Task.WhenAll(watches.Values).ConfigureAwait(false);
    }

    private ClusterMember[] FindOwners(ClusterTable table)
    {
        if (table.BackupsOf(_state.Id) is not { } backups || table.FindSet(backups) is not { } set)
            return [];
        return
        [
            .. Enumerable.Range(set.Value, _source.Hash.PartitionCount)
                .Select(index => table.Partitions[index].Primary)
                .OfType<NodeSlot>()
                .Distinct()
                .Select(table.FindMember)
                .OfType<ClusterMember>()
                .Where(member => member.State != MemberState.Gone),
        ];
    }

    // Ends when the node owns nothing of the state any more.
    private async Task WatchAsync(ClusterMember owner, CancellationTokenSource failed)
    {
        var pauses = new Backoff(PauseMin, PauseMax, _jitter);
        var (watch, number, askedAt) = (Guid.NewGuid(), 0L, default(long?));
        try
        {
            while (FindOwners(_source.View.Current).Any(member => member.Node == owner.Node))
            {
                // A question that is asked again gets the reply again that was made for it, if that was lost.
                askedAt ??= _source.Now;
                var reply = await AskAsync(owner, watch, number, failed.Token).ConfigureAwait(false);
                if (reply is { Status: WatchReplyStatus.Done, Payload: { } payload })
                {
                    number = reply.Number;
                    pauses.Reset();
                    await TakeAsync(owner, payload, askedAt.Value, failed.Token).ConfigureAwait(false);
                    askedAt = null;
                    continue;
                }

                if (reply?.Status == WatchReplyStatus.Refused)
                    throw Refused(owner, reply.Message);
                if (reply is not null)
                    (watch, number, askedAt) = (Guid.NewGuid(), 0, null);
                await Task.Delay(pauses.Next(), _source.Time, failed.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (failed.IsCancellationRequested)
        {
            // The watch has ended.
        }
        catch
        {
            await failed.CancelAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async ValueTask<WatchReply?> AskAsync(
        ClusterMember owner, Guid watch, long number, CancellationToken cancellationToken)
    {
        var request = new WatchRequest
        {
            ClusterId = _source.Hash.ClusterId,
            Watch = watch,
            Number = number,
            StateId = _state.Id,
            WithValues = _withValues,
        };
        try
        {
            return await _source.PeerOf(owner).WatchAsync(request, cancellationToken).ConfigureAwait(false);
        }
        catch (GlueException refusal)
            when (refusal is { Kind: GlueErrorKind.Refused, Delivery: GlueDelivery.NotDelivered })
        {
            throw Refused(owner, refusal.Message);
        }
        catch (GlueException)
        {
            // The node is not there now. The same question is asked again, so that no reply is lost.
            return null;
        }
    }

    private StateRefusedException Refused(ClusterMember owner, string? why) =>
        new($"State '{_state.Name}': {owner.Node} refused to tell its changes: {LogText.Clean(why)}");

    private async ValueTask TakeAsync(
        ClusterMember owner, byte[] payload, long askedAt, CancellationToken cancellationToken)
    {
        var page = FeedFormat.Read(payload, _source.Hash.PartitionCount);
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            _tracker.Received(owner.Node, page, askedAt, _reader);
            await _reader.DrainAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }
}
