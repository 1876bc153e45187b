using Cluster.Contracts.Pacing;
using Cluster.Glue;

namespace Cluster.Nodes.Storage.Writing;

/// <summary>Tells the writer of the node that owns a key what has to be stored. When the owner cannot be reached, it is
/// looked for again, within the time of an operation. Immutable and thread-safe.</summary>
/// <typeparam name="TKey">The key type of the state.</typeparam>
internal sealed class OwnerWriter<TKey>(
    IStateWriter local, IOwnerClient<IStorageWriter> owners, ICluster cluster, TimeProvider time)
    where TKey : notnull
{
    /// <summary>The time of an operation.</summary>
    public static readonly TimeSpan TimeLimit = TimeSpan.FromSeconds(10);

    // An owner without room answers when its own time is over, and its answer says what to change.
    private static readonly TimeSpan CallTime = TimeLimit + TimeSpan.FromSeconds(5);
    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan PauseMax = TimeSpan.FromSeconds(1);
    private static readonly Jitter Jitter = new();

    /// <summary>Lets a key be stored now. Returns why the storage does not have the revision; null: it has.</summary>
    public ValueTask<string?> FlushAsync(TKey key, FlushRequest request, CancellationToken cancellationToken) =>
        AskAsync(key, request, isNote: false, cancellationToken);

    /// <summary>Lets a key be stored soon. Returns why nobody has noted it; null: the owner has.</summary>
    public ValueTask<string?> NoteAsync(TKey key, FlushRequest request, CancellationToken cancellationToken) =>
        AskAsync(key, request, isNote: true, cancellationToken);

    private async ValueTask<string?> AskAsync(
        TKey key, FlushRequest request, bool isNote, CancellationToken cancellationToken)
    {
        var started = time.GetTimestamp();
        var pauses = new Backoff(PauseMin, PauseMax, Jitter);
        while (true)
        {
            string reason;
            try
            {
                var reply = await AskOwnerAsync(key, request, isNote, cancellationToken).ConfigureAwait(false);
                if (!reply.IsElsewhere)
                    return reply.Failure;
                reason = reply.Failure!;
            }
            catch (Exception failure) when (failure is GlueException or RemoteException)
            {
                reason = $"the owner of the key cannot be asked: {failure.Message}";
            }

            if (time.GetElapsedTime(started) >= TimeLimit)
                return reason;
            await Task.Delay(pauses.Next(), time, cancellationToken).ConfigureAwait(false);
        }
    }

    private ValueTask<FlushReply> AskOwnerAsync(
        TKey key, FlushRequest request, bool isNote, CancellationToken cancellationToken)
    {
        if (cluster.OwnerOf(request.State, key)?.Node == cluster.Self)
        {
            return isNote
                ? local.NoteAsync(request, cancellationToken)
                : local.FlushAsync(request, cancellationToken);
        }

        if (owners.FindOwner(request.State, key) is not { } owner)
            return new(new FlushReply { IsElsewhere = true, Failure = "no node owns the key now." });
        using (GlueCall.WithDeadline(CallTime))
        {
            return isNote
                ? owner.NoteAsync(request, cancellationToken)
                : owner.FlushAsync(request, cancellationToken);
        }
    }
}
