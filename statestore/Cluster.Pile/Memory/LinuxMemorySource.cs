using Cluster.Pile.Layout;

namespace Cluster.Pile.Memory;

/// <summary>Memory by anonymous private mappings. Nothing is charged before it is touched; discarded pages read as
/// zero. Stateless.</summary>
internal sealed class LinuxMemorySource : INativeMemorySource
{
    public bool ReservesFreely => true;

    public nint Reserve(long bytes)
    {
        var address = LinuxCalls.Map(
            0,
            (nuint)bytes,
            LinuxCalls.ProtectRead | LinuxCalls.ProtectWrite,
            LinuxCalls.MapPrivate | LinuxCalls.MapAnonymous | LinuxCalls.MapNoReserve,
            new LinuxCalls.FilePart(-1, 0));
        return address == LinuxCalls.MapFailed ? 0 : address;
    }

    public bool TryCommit(nint address, long bytes) => true;

    public void AdviseHugePages(nint address, long bytes) =>
        _ = LinuxCalls.Advise(address, (nuint)bytes, LinuxCalls.AdviseHugePage);

    public void AdviseSmallPages(nint address, long bytes) =>
        _ = LinuxCalls.Advise(address, (nuint)bytes, LinuxCalls.AdviseNoHugePage);

    /// <remarks>By page faults, in code that the garbage collector does not wait for. <c>MADV_POPULATE_WRITE</c> would
    /// hold the lock of the whole address space, which the collector needs
    /// (<c>docs/decisions/0005-page-faults-instead-of-populating.md</c>).</remarks>
    public bool TryPopulate(nint address, long bytes)
    {
        for (long page = 0; page < bytes; page += Environment.SystemPageSize)
            LinuxCalls.Fill(address + (nint)page, 0, 1);
        return true;
    }

    public void Discard(nint address, long bytes)
    {
        var result = LinuxCalls.Advise(address, (nuint)bytes, LinuxCalls.AdviseDontNeed);
        Invariant.Holds(result == 0, "Pages of our own mapping can be discarded.");
    }
}
