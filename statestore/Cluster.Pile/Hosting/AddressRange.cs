using Cluster.Pile.Memory;

namespace Cluster.Pile.Hosting;

/// <summary>One reserved range of addresses, never unmapped. Its parts are committed before use. The users of the range
/// must agree which of them uses which part.</summary>
public sealed class AddressRange
{
    private readonly NativeRange _range;

    internal AddressRange(NativeRange range) => _range = range;

    /// <summary>Where the range starts.</summary>
    public nint Address => _range.Address;

    /// <summary>How many bytes the range has.</summary>
    public long Length => _range.Length;

    /// <summary>Makes bytes usable. False: the system refuses.</summary>
    public bool TryCommit(long offset, long bytes) => _range.TryCommit(offset, bytes);

    /// <summary>Commits bytes that are zero and unused, and makes their pages resident. False: the system
    /// refuses.</summary>
    public bool TryPrepare(long offset, long bytes) => _range.TryPrepare(offset, bytes);

    /// <summary>Zeroes bytes and gives their pages back to the system.</summary>
    public void Discard(long offset, long bytes) => _range.Discard(offset, bytes);

    /// <summary>Advises the system to use huge pages.</summary>
    public void AdviseHugePages(long offset, long bytes) => _range.AdviseHugePages(offset, bytes);

    /// <summary>Advises the system to use small pages.</summary>
    public void AdviseSmallPages(long offset, long bytes) => _range.AdviseSmallPages(offset, bytes);

    /// <summary>Zeroes the range and keeps it for the next <see cref="SystemMemory.TryRent"/>. The caller must not use
    /// it any more.</summary>
    public void Return() => NativeRangePool.Return(_range);
}
