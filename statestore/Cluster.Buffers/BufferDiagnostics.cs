namespace Cluster.Buffers;

/// <summary>How much is done to find wrong uses of buffers.</summary>
public enum BufferDiagnostics
{
    /// <summary>Nothing beyond the checks of bounds and lifetime that are always on.</summary>
    Off = 0,

    /// <summary>Every buffer remembers where it was created, for the report when nobody frees it, and the memory of a
    /// freed buffer is filled with junk (the byte 0xDD, in its first 16 MiB), so that a span kept too long is
    /// noticed.</summary>
    Full = 1,
}
