using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Nodes;

/// <summary>The node's proposals to the store, one at a time. A proposal whose outcome is unknown is made again with
/// the same nonce until a newer table shows the outcome: the store does at most one of them. After a conflict, the node
/// proposes nothing until it has the table that was in the way. Used under the node's lock.</summary>
/// <param name="effects">What the shell is to do.</param>
/// <param name="times">The times of the protocol.</param>
internal sealed class Swaps(NodeEffects effects, ProtocolTimes times)
{
    private PendingSwap? _pending;

    // Until the table of this version, every proposal would conflict again. The read of the table may fail, so the wait
    // ends at a time.
    private (long Version, long Until)? _conflict;

    /// <summary>Whether an outcome is awaited, or the table after a conflict.</summary>
    public bool IsBusy => _pending is not null || _conflict is not null;

    /// <summary>Proposes a table.</summary>
    public void Propose(ClusterTable successor, bool needsCoordinator)
    {
        _pending = new PendingSwap(successor, needsCoordinator);
        effects.Swaps.Add((successor, needsCoordinator));
    }

    /// <summary>Handles the answer of the store.</summary>
    /// <returns>The table that stands now; null: the store has to be read.</returns>
    public ClusterTable? Ended(Guid nonce, SwapResult result, long now)
    {
        if (_pending is not { } pending || pending.Successor.ProposerNonce != nonce)
            return null;
        switch (result)
        {
            case SwapResult.Done:
                _pending = null;
                return pending.Successor;
            case SwapResult.Conflict:
                _conflict = (pending.Successor.Version, now + times.Direct.Ticks);
                _pending = null;
                break;
            default:
                pending.RetryAt = now + times.Direct.Ticks;
                break;
        }

        effects.Read(isConsistent: true);
        return null;
    }

    /// <summary>Ends the proposal that a newer table decides.</summary>
    public void Adopted(long version)
    {
        if (_pending is { } pending && pending.Successor.Version <= version)
            _pending = null;
        if (_conflict is { } conflict && conflict.Version <= version)
            _conflict = null;
    }

    /// <summary>Makes a proposal with an unknown outcome again, and ends the wait after a conflict.</summary>
    public void Tick(long now)
    {
        if (_conflict is { } conflict && now >= conflict.Until)
            _conflict = null;
        if (_pending is not { RetryAt: { } retryAt } pending || now < retryAt)
            return;
        pending.RetryAt = null;
        effects.Swaps.Add((pending.Successor, pending.NeedsCoordinator));
    }
}
