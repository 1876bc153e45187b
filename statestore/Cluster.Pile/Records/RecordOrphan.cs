using Cluster.Pile.Slabs;

namespace Cluster.Pile.Records;

/// <summary>An object of the pile that a record owned, and that record, which has ended but for this: it keeps its
/// place until the object is deleted. An immutable value; <c>default</c> is none.</summary>
/// <param name="Object">What is to be deleted.</param>
/// <param name="Offset">The record that still names it.</param>
/// <param name="Entry">The entry of the record's block, by whose life the record is known after a purge.</param>
internal readonly record struct RecordOrphan(PilePointer Object, long Offset, SlabEntry Entry)
{
    public bool IsNone => Object.IsDefault;
}
