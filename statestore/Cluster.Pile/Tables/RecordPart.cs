namespace Cluster.Pile.Tables;

/// <summary>What a read copies when the destination is shorter than the value.</summary>
internal enum RecordPart
{
    /// <summary>Nothing.</summary>
    Whole = 0,

    /// <summary>The first bytes.</summary>
    Head = 1,
}
