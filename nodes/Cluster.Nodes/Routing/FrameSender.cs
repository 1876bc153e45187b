using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Routing;

/// <summary>Sends the frames of this node's state store to other nodes, in order and without waiting. Frames to a node
/// that takes none any more are dropped, so that they do not fill the memory; the state store sends again what is not
/// answered. Thread-safe.</summary>
internal sealed class FrameSender(PeerDirectory peers)
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
            await peers.FramesOf(member).DeliverAsync(frame, CancellationToken.None).ConfigureAwait(false);
        }
        catch (GlueException)
        {
            unreachable(member.Node);
        }
        catch (ObjectDisposedException)
        {
            // This process ends.
        }
        finally
        {
            Interlocked.Add(ref waiting.Value, -frame.Length);
        }
    }
}
