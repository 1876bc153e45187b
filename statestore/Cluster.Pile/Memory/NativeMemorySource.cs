namespace Cluster.Pile.Memory;

/// <summary>Chooses the memory source of this operating system. Stateless.</summary>
internal static class NativeMemorySource
{
    /// <summary>The best source of this system; the same instance for every pile, so that ranges are reused.</summary>
    public static INativeMemorySource ForThisSystem { get; } = Create();

    private static INativeMemorySource Create()
    {
        if (OperatingSystem.IsLinux())
            return new LinuxMemorySource();
        return OperatingSystem.IsWindows() ? new WindowsMemorySource() : new PortableMemorySource();
    }
}
