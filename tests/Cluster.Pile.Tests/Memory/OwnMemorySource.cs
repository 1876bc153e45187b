using Cluster.Pile.Memory;

namespace Cluster.Pile.Tests.Memory;

/// <summary>A memory source that no other test has, so that nobody beside takes over the ranges it returned.</summary>
internal sealed class OwnMemorySource(INativeMemorySource inner) : INativeMemorySource
{
    public bool ReservesFreely => inner.ReservesFreely;

    public nint Reserve(long bytes) => inner.Reserve(bytes);

    public bool TryCommit(nint address, long bytes) => inner.TryCommit(address, bytes);

    public void AdviseHugePages(nint address, long bytes) => inner.AdviseHugePages(address, bytes);

    public void AdviseSmallPages(nint address, long bytes) => inner.AdviseSmallPages(address, bytes);

    public bool TryPopulate(nint address, long bytes) => inner.TryPopulate(address, bytes);

    public void Discard(nint address, long bytes) => inner.Discard(address, bytes);
}
