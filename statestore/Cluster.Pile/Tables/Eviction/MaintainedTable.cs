using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Tables.Eviction;

/// <summary>A table as the maintenance of its pile uses it. One timed sweep at a time uses the byte count.</summary>
internal sealed class MaintainedTable(RecordSweeper sweeper, RecordLog log)
{
    public RecordSweeper Sweeper => sweeper;

    public RecordLog Log => log;

    /// <summary>The dead bytes of the log at the last timed sweep.</summary>
    public long DeadBytesSeen { get; set; }
}
