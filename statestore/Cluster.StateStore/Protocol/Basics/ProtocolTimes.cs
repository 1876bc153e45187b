namespace Cluster.StateStore.Protocol.Basics;

/// <summary>The times of the protocol. Immutable. A lease must end before any backup may take over although two clocks
/// run at different rates: the grace is one and a half leases.</summary>
internal sealed record ProtocolTimes
{
    /// <summary>Between two beacons to the same node.</summary>
    public TimeSpan Beacon { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>A member that was not heard for this long is suspected: operations do not wait for its answer. It
    /// keeps its roles.</summary>
    public TimeSpan Suspect { get; init; } = TimeSpan.FromSeconds(1.5);

    /// <summary>Up to this many members, each one exchanges beacons with each other one. In a larger cluster only
    /// members that have a partition in common do, and neighbours.</summary>
    public int AllPairsMax { get; init; } = 64;

    /// <summary>Between two beacons to a member that is not watched.</summary>
    public TimeSpan Report { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>How long a primary may serve after the sending time of an acknowledged beacon.</summary>
    public TimeSpan Lease { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>How long a backup waits after the last beacon before it proposes a takeover.</summary>
    public TimeSpan Grace { get; init; } = TimeSpan.FromSeconds(4.5);

    /// <summary>How long a backup may take to acknowledge an entry before the primary proposes to go on without
    /// it.</summary>
    public TimeSpan Append { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long an operation waits for its commit. After that its outcome is unknown to the caller.</summary>
    public TimeSpan WriteWait { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>After this time without an answer, frames are sent again.</summary>
    public TimeSpan Resend { get; init; } = TimeSpan.FromMilliseconds(400);

    /// <summary>How long a commit waits for a frame to ride on.</summary>
    public TimeSpan CommitNews { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How long the coordinator collects proposals.</summary>
    public TimeSpan Batch { get; init; } = TimeSpan.FromMilliseconds(200);

    /// <summary>How long the coordinator collects proposals when one of them keeps clients waiting.</summary>
    public TimeSpan UrgentBatch { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>How long the coordinator collects planned moves. Their partitions answer nothing meanwhile.</summary>
    public TimeSpan MoveBatch { get; init; } = TimeSpan.FromMilliseconds(80);

    /// <summary>While partitions move only to make the load even, the coordinator waits at most so long for the next
    /// step of each of them, and a node waits at most so long for a table that lets it begin moves. Clients do not wait
    /// for these moves, and one table can have the steps of many.</summary>
    public TimeSpan Pace { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>How long after a table that makes moves possible the nodes begin moves. All of them have that table at
    /// about the same time, so their moves come into one next table.</summary>
    public TimeSpan MoveWindow { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>After this time without an outcome, takeovers and shrinks go to the store directly.</summary>
    public TimeSpan Direct { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long a move may keep writes out while the tail of the log reaches the next primary.</summary>
    public TimeSpan Seal { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>How long the coordinator waits after the last change of members before it plans moves.</summary>
    public TimeSpan Settle { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>How long the target of a copy may make no progress.</summary>
    public TimeSpan CopyStall { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long a member that failed is not chosen again after its first failure; the time doubles with each
    /// further one.</summary>
    public TimeSpan SetAsideMin { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The longest time for which a member is not chosen again.</summary>
    public TimeSpan SetAsideMax { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>A node that did not look at its clock for this long drops its leases and starts its graces
    /// again.</summary>
    public TimeSpan Missed { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a lost partition stays closed for nodes that may have a snapshot of it.</summary>
    public TimeSpan Restore { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>How long a node keeps what an earlier life has left of partitions that it does not get.</summary>
    public TimeSpan KeepBase { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>How long a client's answers are kept after its last write to the partition.</summary>
    public TimeSpan ClientIdle { get; init; } = TimeSpan.FromHours(1);
}
