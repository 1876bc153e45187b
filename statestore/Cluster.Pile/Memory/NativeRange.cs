namespace Cluster.Pile.Memory;

/// <summary>
/// One reserved address range. Owned by one pile at a time and handed back to the <see
/// cref="NativeRangePool"/>; immutable, never unmapped.
/// </summary>
internal sealed class NativeRange
{
    public NativeRange(INativeMemorySource source, nint address, long length)
    {
        Source = source;
        Address = address;
        Length = length;
    }

    public INativeMemorySource Source { get; }

    public nint Address { get; }

    public long Length { get; }

    public NativeWindow OpenWindow() => new(Address, Length);

    public void AdviseHugePages(long offset, long bytes) => Source.AdviseHugePages(PartAddress(offset, bytes), bytes);

    public void AdviseSmallPages(long offset, long bytes) => Source.AdviseSmallPages(PartAddress(offset, bytes), bytes);

    public bool TryPopulate(long offset, long bytes) => Source.TryPopulate(PartAddress(offset, bytes), bytes);

    public void Discard(long offset, long bytes) => Source.Discard(PartAddress(offset, bytes), bytes);

    private nint PartAddress(long offset, long bytes)
    {
        Invariant.Holds(offset >= 0 && bytes >= 0 && offset <= Length - bytes, "The part lies in the range.");
        return Address + (nint)offset;
    }
}
