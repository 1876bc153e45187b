namespace Cluster.Pile.Memory;

/// <summary>Memory by <c>VirtualAlloc</c>: reserved as addresses, committed as it comes into use, never decommitted,
/// because a late reader would fault. Stateless.</summary>
internal sealed unsafe class WindowsMemorySource : INativeMemorySource
{
    public bool ReservesFreely => true;

    public nint Reserve(long bytes) =>
        WindowsCalls.Allocate(0, (nuint)bytes, WindowsCalls.MemoryReserve, WindowsCalls.ProtectReadWrite);

    public bool TryCommit(nint address, long bytes) =>
        WindowsCalls.Allocate(address, (nuint)bytes, WindowsCalls.MemoryCommit, WindowsCalls.ProtectReadWrite) != 0;

    public void AdviseHugePages(nint address, long bytes)
    {
        // Large pages need a privilege and cannot be reset.
    }

    public void AdviseSmallPages(nint address, long bytes)
    {
        // Pages are small.
    }

    // After a reset the system may keep a page or replace it by zeros whenever it likes. Zeroed before, both read
    // the same. Refusals of the two calls cost memory, not correctness.
    public bool TryPopulate(nint address, long bytes) => false;

    public void Discard(nint address, long bytes)
    {
        NativeMemory.Clear((void*)address, (nuint)bytes);
        _ = WindowsCalls.Allocate(address, (nuint)bytes, WindowsCalls.MemoryReset, WindowsCalls.ProtectReadWrite);
        _ = WindowsCalls.Unlock(address, (nuint)bytes);
    }
}
