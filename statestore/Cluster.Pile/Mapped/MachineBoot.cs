namespace Cluster.Pile.Mapped;

/// <summary>Tells one start of the machine from another, where the system does. Stateless.</summary>
internal static class MachineBoot
{
    private const string BootFile = "/proc/sys/kernel/random/boot_id";

    /// <summary>The present start of the machine; empty when the system does not tell.</summary>
    public static Guid Now()
    {
        try
        {
            return Guid.TryParse(File.ReadAllText(BootFile), out var boot) ? boot : Guid.Empty;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return Guid.Empty;
        }
    }
}
