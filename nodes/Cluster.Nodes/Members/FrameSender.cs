using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.Nodes.Members;

/// <summary>Sends the frames of this node's state store to other nodes, in order and without waiting. Frames to a node
/// that takes none any more are dropped, so that they do not fill the memory; the state store sends again what is not
/// answered. A node that could not be reached gets few frames until one arrives: each frame that waits for a connection
/// in vain costs much more than one that is sent. Thread-safe.</summary>
/// <param name="framesOf">Finds where the frames for a node go.</param>
internal sealed class FrameSender(Func<ClusterMember, IStateFrames> framesOf)
{
    /// <summary>How many bytes may wait for one node.</summary>
    public const long WaitingBytesMax = 32 << 20;

    /// <summary>How many frames may wait for a node that could not be reached.</summary>
    public const int WaitingFramesOfLostMax = 16;

    private readonly ConcurrentDictionary<NodeId, Receiver> _receivers = new();
    private long _dropped;

    /// <summary>Frames that were not sent, because too many waited.</summary>
    public long DroppedFrames => Interlocked.Read(ref _dropped);

    /// <summary>Sends a frame, or drops it.</summary>
    /// <param name="member">The receiver.</param>
    /// <param name="frame">The frame.</param>
    /// <param name="unreachable">Called when the receiver cannot be reached.</param>
    public void Send(ClusterMember member, byte[] frame, Action<NodeId> unreachable)
    {
        var receiver = _receivers.GetOrAdd(member.Node, static _ => new Receiver());
        if (receiver.TryTake(frame.Length))
            _ = SendAsync(member, frame, receiver, unreachable);
        else
            Interlocked.Increment(ref _dropped);
    }

    /// <summary>Forgets the nodes that are no members any more.</summary>
    public void Keep(ClusterTable table)
    {
        foreach (var node in _receivers.Keys)
        {
            if (table.FindMember(node) is null)
                _receivers.TryRemove(node, out _);
        }
    }

    private async Task SendAsync(
        ClusterMember member, byte[] frame, Receiver receiver, Action<NodeId> unreachable)
    {
        try
        {
            await framesOf(member).DeliverAsync(frame, CancellationToken.None).ConfigureAwait(false);
            receiver.IsLost = false;
        }
        catch (Exception failure) when (failure is ObjectDisposedException or OperationCanceledException)
        {
            // This process ends.
        }
        catch (Exception)
        {
            // Mostly a failed call. The member list can also contain an address that is none.
            receiver.IsLost = true;
            unreachable(member.Node);
        }
        finally
        {
            receiver.GiveBack(frame.Length);
        }
    }

    /// <summary>What waits for one node. Thread-safe.</summary>
    private sealed class Receiver
    {
        private readonly Lock _gate = new();
        private long _bytes;
        private int _frames;

        /// <summary>Whether the last frame that was tried did not arrive.</summary>
        public volatile bool IsLost;

        /// <summary>Counts a frame, unless too much waits. One frame may always wait.</summary>
        public bool TryTake(int bytes)
        {
            lock (_gate)
            {
                if (_frames > 0 && (_bytes + bytes > WaitingBytesMax || (IsLost && _frames >= WaitingFramesOfLostMax)))
                    return false;
                _bytes += bytes;
                _frames++;
                return true;
            }
        }

        public void GiveBack(int bytes)
        {
            lock (_gate)
            {
                _bytes -= bytes;
                _frames--;
            }
        }
    }
}
