namespace Cluster.Pile.Records;

/// <summary>A table as the upkeep of its pile knows it. The bytes are used by one timed sweep at a time.</summary>
internal sealed class UpkeptTable(RecordSweeper sweeper, RecordLog log)
{
    public RecordSweeper Sweeper => sweeper;

    public RecordLog Log => log;

    /// <summary>How many bytes of the log were dead at the last look.</summary>
    public long DeadBytesSeen { get; set; }
}
