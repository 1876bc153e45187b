using System.Security.Cryptography;

namespace Cluster.Nodes.Storage.Values;

/// <summary>From which knowledge of a key the records in memory have come. When all copies of a partition are lost,
/// what was not stored is lost, too, and later writes begin at the record that the storage has. A write whose revision
/// the storage has passed is safe only if the record there has come from it.</summary>
/// <param name="Id">Drawn for each load; zero for a write that did not look at what was there.</param>
/// <param name="Base">The revision that was loaded. The storage has all writes up to it.</param>
internal readonly record struct Lineage(long Id, long Base)
{
    /// <summary>The lineage of a write that replaces whatever was there, so that no earlier write can be
    /// missed.</summary>
    public static Lineage Blind { get; } = new(0, long.MaxValue);

    /// <summary>A new lineage, which begins with what the storage has.</summary>
    public static Lineage Loaded(long revision) =>
        new(BinaryPrimitives.ReadInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(long))), revision);

    /// <summary>Whether a record of this lineage has come from a write, or has replaced it.</summary>
    /// <param name="revision">The revision of the write, not above that of the record.</param>
    /// <param name="lineageId">The lineage of the write.</param>
    public bool Includes(long revision, long lineageId) => revision <= Base || lineageId == Id;
}
