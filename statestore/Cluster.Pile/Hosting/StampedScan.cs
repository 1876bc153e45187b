using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Hosting;

/// <summary>A walk over the keys of a <see cref="StampedTable"/>. Used by one thread.</summary>
public sealed class StampedScan
{
    internal StampedScan(RecordScan scan) => Scan = scan;

    internal RecordScan Scan { get; }
}
