using Cluster.Pile.Layout;

namespace Cluster.Pile.Tables;

/// <summary>An object of the pile and the removed record that owned it. The record keeps its place until the object is
/// deleted. An immutable value; <c>default</c> is none.</summary>
/// <param name="Object">The object to delete.</param>
/// <param name="Offset">The record that still names the object.</param>
/// <param name="Entry">The slab entry of the record's block; after a purge, the block has another entry.</param>
internal readonly record struct RecordOrphan(PilePointer Object, long Offset, SlabEntry Entry)
{
    public bool IsNone => Object.IsDefault;
}
