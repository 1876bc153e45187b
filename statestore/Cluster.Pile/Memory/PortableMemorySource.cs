namespace Cluster.Pile.Memory;

/// <summary>Memory by the portable native allocator, for systems other than Linux and Windows. Discarding zeroes the
/// memory, but returns none before the process ends. Stateless.</summary>
internal sealed unsafe class PortableMemorySource : INativeMemorySource
{
    public bool ReservesFreely => false;

    public nint Reserve(long bytes)
    {
        try
        {
            return (nint)NativeMemory.AllocZeroed((nuint)bytes);
        }
        catch (OutOfMemoryException)
        {
            return 0;
        }
    }

    public bool TryCommit(nint address, long bytes) => true;

    public void AdviseHugePages(nint address, long bytes)
    {
        // The portable allocator has no page sizes.
    }

    public void AdviseSmallPages(nint address, long bytes)
    {
        // The portable allocator has no page sizes.
    }

    public bool TryPopulate(nint address, long bytes) => false;

    public void Discard(nint address, long bytes) => NativeMemory.Clear((void*)address, (nuint)bytes);
}
