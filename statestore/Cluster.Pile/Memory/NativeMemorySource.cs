namespace Cluster.Pile.Memory;

/// <summary>Chooses the memory source of this operating system. Stateless.</summary>
internal static class NativeMemorySource
{
    /// <summary>The best source here; the same instance for every pile, so that ranges are recycled.</summary>
    public static INativeMemorySource ForThisSystem { get; } =
        OperatingSystem.IsLinux() ? new LinuxMemorySource() : new PortableMemorySource();
}
