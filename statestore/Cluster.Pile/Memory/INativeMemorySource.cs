namespace Cluster.Pile.Memory;

/// <summary>The border between the pile and the operating system's memory: implemented by the calls of Linux, those of
/// Windows, and the portable allocator. Stateless. Memory that was reserved once is never released, because a late
/// reader may still read it.</summary>
internal interface INativeMemorySource
{
    /// <summary>Whether reserved addresses take no memory before they are committed and touched.</summary>
    bool ReservesFreely { get; }

    /// <summary>The folder whose disk had no room at the last request; null when no disk was full.</summary>
    string? FullDisk => null;

    /// <summary>Reserves addresses, which are committed before they are used. Zero: the system refuses.</summary>
    nint Reserve(long bytes);

    /// <summary>Makes reserved bytes usable: zeroed when new, unchanged when committed before, readable from now on for
    /// ever. <see langword="false"/>: the system refuses.</summary>
    bool TryCommit(nint address, long bytes);

    /// <summary>Asks for huge pages; a refusal only costs speed.</summary>
    void AdviseHugePages(nint address, long bytes);

    /// <summary>Asks for small pages, so that touching a byte costs no more than a page.</summary>
    void AdviseSmallPages(nint address, long bytes);

    /// <summary>Makes committed pages resident that are zero and unused. <see langword="false"/>: the caller must touch
    /// them itself.</summary>
    bool TryPopulate(nint address, long bytes);

    /// <summary>Zeroes committed bytes and gives their pages back where the system allows that; the addresses stay
    /// readable.</summary>
    void Discard(nint address, long bytes);
}
