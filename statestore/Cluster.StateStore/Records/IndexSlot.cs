using Cluster.Pile;

namespace Cluster.StateStore.Records;

/// <summary>One place of a <see cref="StateRecordIndex"/>: sixteen bytes without a managed reference, so that the
/// collector never looks inside the table. A default pointer means free. Mutable; changed in place under the lock of
/// the partition.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct IndexSlot
{
    /// <summary>32 bits of the key's hash. They decide the slot, and rule out most other keys without a read of the
    /// pile.</summary>
    public uint Tag;

    /// <summary>The first whole second, counted from <see cref="ExpiryClock.EpochTicks"/>, at which it has expired; 0
    /// for never.</summary>
    public uint DueSecond;

    public PilePointer Pointer;

    public readonly bool IsFree => Pointer == default;
}
