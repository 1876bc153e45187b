namespace Cluster.Pile.Memory;

/// <summary>
/// Memory by anonymous private mappings. Nothing is charged before it is touched; discarded pages read as zero.
/// Stateless.
/// </summary>
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

    public void AdviseHugePages(nint address, long bytes)
        => _ = LinuxCalls.Advise(address, (nuint)bytes, LinuxCalls.AdviseHugePage);

    public void AdviseSmallPages(nint address, long bytes)
        => _ = LinuxCalls.Advise(address, (nuint)bytes, LinuxCalls.AdviseNoHugePage);

    public bool TryPopulate(nint address, long bytes)
        => LinuxCalls.Advise(address, (nuint)bytes, LinuxCalls.AdvisePopulateWrite) == 0;

    public void Discard(nint address, long bytes)
    {
        var result = LinuxCalls.Advise(address, (nuint)bytes, LinuxCalls.AdviseDontNeed);
        Invariant.Holds(result == 0, "Pages of our own mapping can be discarded.");
    }
}
