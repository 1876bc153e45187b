using Cluster.Pile.Memory;

namespace Cluster.Pile.Hosting;

/// <summary>One reserved range of addresses, never unmapped. Parts are committed before they are used. Its users agree
/// on who touches which part.</summary>
public sealed class AddressRange
{
    private readonly NativeRange _range;

    internal AddressRange(NativeRange range) => _range = range;

    /// <summary>Where the range starts.</summary>
    public nint Address => _range.Address;

    /// <summary>How many bytes the range has.</summary>
    public long Length => _range.Length;

    /// <summary>Makes bytes usable; false when the system refuses.</summary>
    public bool TryCommit(long offset, long bytes) => _range.TryCommit(offset, bytes);

    /// <summary>Commits bytes that are zero and that nobody uses meanwhile, and makes their pages resident; false when
    /// the system refuses.</summary>
    public bool TryPrepare(long offset, long bytes) => _range.TryPrepare(offset, bytes);

    /// <summary>Makes bytes zero and gives their pages back to the system.</summary>
    public void Discard(long offset, long bytes) => _range.Discard(offset, bytes);

    /// <summary>Advises the system to use huge pages.</summary>
    public void AdviseHugePages(long offset, long bytes) => _range.AdviseHugePages(offset, bytes);

    /// <summary>Advises the system to use small pages.</summary>
    public void AdviseSmallPages(long offset, long bytes) => _range.AdviseSmallPages(offset, bytes);

    /// <summary>Zeroes the range and hands it on to the next who rents one; the caller no longer uses it.</summary>
    public void Return() => NativeRangePool.Return(_range);
}
