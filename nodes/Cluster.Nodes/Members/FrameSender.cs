using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.Nodes.Members;

/// <summary>Sends the frames of this node's state store to other nodes, in order and without waiting. Frames to a node
/// that takes none any more are dropped, so that they do not fill the memory; the state store sends again what is not
/// answered. Thread-safe.</summary>
/// <param name="framesOf">Finds where the frames for a node go.</param>
internal sealed class FrameSender(Func<ClusterMember, IStateFrames> framesOf)
{
    /// <summary>How many bytes may wait for one node.</summary>
    public const long WaitingBytesMax = 32 << 20;

    private readonly ConcurrentDictionary<NodeId, StrongBox<long>> _waiting = new();
    private long _dropped;

    /// <summary>Frames that were not sent, because too many waited.</summary>
    public long DroppedFrames => Interlocked.Read(ref _dropped);

    /// <summary>Sends a frame, or drops it.</summary>
    /// <param name="member">The receiver.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="unreachable">Called when the receiver cannot be reached.</param>
    public void Send(ClusterMember member, byte[] frame, Action<NodeId> unreachable)
    {
        var waiting = _waiting.GetOrAdd(member.Node, static _ => new StrongBox<long>());
        var before = Interlocked.Add(ref waiting.Value, frame.Length) - frame.Length;
        if (before == 0 || before + frame.Length <= WaitingBytesMax)
        {
            _ = SendAsync(member, frame, waiting, unreachable);
            return;
        }

        Interlocked.Add(ref waiting.Value, -frame.Length);
        Interlocked.Increment(ref _dropped);
    }

    /// <summary>Forgets the nodes that are no members any more.</summary>
    public void Keep(ClusterTable table)
    {
        foreach (var node in _waiting.Keys)
        {
            if (table.FindMember(node) is null)
                _waiting.TryRemove(node, out _);
        }
    }

    private async Task SendAsync(
        ClusterMember member, byte[] frame, StrongBox<long> waiting, Action<NodeId> unreachable)
    {
        try
        {
            await framesOf(member).DeliverAsync(frame, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is ObjectDisposedException or OperationCanceledException)
        {
            // This process ends.
        }
        catch (Exception)
        {
            // Mostly a failed call. The member list can also contain an address that is none.
            unreachable(member.Node);
        }
        finally
        {
            Interlocked.Add(ref waiting.Value, -frame.Length);
        }
    }
}
