namespace Cluster.Pile.Memory;

/// <summary>The process border behind which memory lies: implementations on the calls of Linux, on those of Windows,
/// and on the portable allocator. Stateless; memory that was reserved once is never given up, because a late reader may
/// still look at it.</summary>
internal interface INativeMemorySource
{
    /// <summary>Whether reserved addresses take no memory before they are committed and touched.</summary>
    bool ReservesFreely { get; }

    /// <summary>Reserves addresses, to be committed before they are used; zero when the system refuses.</summary>
    nint Reserve(long bytes);

    /// <summary>Makes reserved bytes usable: zeroed when new, unchanged when committed before, readable from now on for
    /// ever; <see langword="false"/> when the system refuses.</summary>
    bool TryCommit(nint address, long bytes);

    /// <summary>Asks for huge pages; a refusal changes nothing but speed.</summary>
    void AdviseHugePages(nint address, long bytes);

    /// <summary>Asks for small pages, so that touching a byte costs no more than a page.</summary>
    void AdviseSmallPages(nint address, long bytes);

    /// <summary>Makes committed pages resident that are zero and that nobody uses meanwhile; <see langword="false"/>
    /// when the caller has to touch them.</summary>
    bool TryPopulate(nint address, long bytes);

    /// <summary>Zeroes committed bytes and gives their pages back where the system allows; the addresses stay
    /// readable.</summary>
    void Discard(nint address, long bytes);
}
