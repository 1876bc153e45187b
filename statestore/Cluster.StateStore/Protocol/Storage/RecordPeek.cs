using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>One record without key and value. Immutable.</summary>
/// <param name="Version">The entry that set the value.</param>
/// <param name="Expiry">When the record expires, in the form of <see cref="LifeEnd"/>.</param>
/// <param name="ValueBytes">The bytes of the value.</param>
internal readonly record struct RecordPeek(EntryId Version, long Expiry, int ValueBytes)
{
    /// <summary>Whether the life of the record is over at a partition time.</summary>
    public bool IsOver(long time) => LifeEnd.IsOver(Expiry, time);
}
