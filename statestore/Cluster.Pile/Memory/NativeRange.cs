using Cluster.Pile.Layout;

namespace Cluster.Pile.Memory;

/// <summary>One reserved address range. Owned by one pile at a time and returned to the <see cref="NativeRangePool"/>,
/// never unmapped. Its only mutable state is one word: how far it was ever committed.</summary>
internal sealed class NativeRange(INativeMemorySource source, nint address, long length)
{
    private const int PageBytes = 4096;

    private long _committedEnd;

    public INativeMemorySource Source { get; } = source;

    public nint Address { get; } = address;

    public long Length { get; } = length;

    public NativeWindow OpenWindow() => new(Address, Length);

    public void AdviseHugePages(long offset, long bytes) => Source.AdviseHugePages(PartAddress(offset, bytes), bytes);

    public void AdviseSmallPages(long offset, long bytes) => Source.AdviseSmallPages(PartAddress(offset, bytes), bytes);

    /// <summary>Makes bytes usable. False: the system refuses.</summary>
    public bool TryCommit(long offset, long bytes)
    {
        if (!Source.TryCommit(PartAddress(offset, bytes), bytes))
            return false;
        var seen = Volatile.Read(ref _committedEnd);
        while (seen < offset + bytes)
        {
            var found = Interlocked.CompareExchange(ref _committedEnd, offset + bytes, seen);
            if (found == seen)
                break;
            seen = found;
        }

        return true;
    }

    /// <summary>Commits bytes that are zero and unused, and makes their pages resident.</summary>
    public bool TryPrepare(long offset, long bytes)
    {
        if (!TryCommit(offset, bytes))
            return false;
        if (Source.TryPopulate(PartAddress(offset, bytes), bytes))
            return true;
        var window = OpenWindow();
        for (long page = 0; page < bytes; page += PageBytes)
            window.Touch(offset + page);
        return true;
    }

    public void Discard(long offset, long bytes) => Source.Discard(PartAddress(offset, bytes), bytes);

    /// <summary>Zeroes all bytes that were ever committed, and gives their pages back if the system takes
    /// them.</summary>
    public void DiscardAll() => Discard(0, Volatile.Read(ref _committedEnd));

    private nint PartAddress(long offset, long bytes)
    {
        Invariant.Holds(offset >= 0 && bytes >= 0 && offset <= Length - bytes, "The part lies in the range.");
        return Address + (nint)offset;
    }
}
