namespace Cluster.Pile.Tests.Host;

/// <summary>The tables whose entries the kill loop changes; a part of each id.</summary>
public enum KillTable
{
    /// <summary>Objects without a table.</summary>
    None = 0,

    /// <summary>Cells.</summary>
    Cells = 1,

    /// <summary>A durable cache table, some of whose entries own objects.</summary>
    NonEvicting = 2,

    /// <summary>A small speculative cache table, whose entries may be gone at any time.</summary>
    Evicting = 3,
}
