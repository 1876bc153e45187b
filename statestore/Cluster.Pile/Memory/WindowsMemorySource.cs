namespace Cluster.Pile.Memory;

/// <summary>Memory by <c>VirtualAlloc</c>: reserved as addresses, committed on use, never decommitted, because a late
/// reader would fault. Stateless.</summary>
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
        // Windows uses small pages anyway.
    }

    // After a reset the system may keep a page or replace it by zeros at any time. It is zeroed before, so that both
    // read the same. A refusal of the two calls costs memory, not correctness.
    public bool TryPopulate(nint address, long bytes) => false;

    public void Discard(nint address, long bytes)
    {
        NativeMemory.Clear((void*)address, (nuint)bytes);
        _ = WindowsCalls.Allocate(address, (nuint)bytes, WindowsCalls.MemoryReset, WindowsCalls.ProtectReadWrite);
        _ = WindowsCalls.Unlock(address, (nuint)bytes);
    }
}
