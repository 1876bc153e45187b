namespace Cluster.Pile.Mapped;

/// <summary>Identifies the current boot of the machine, if the system tells it. Stateless.</summary>
internal static class MachineBoot
{
    private const string BootFile = "/proc/sys/kernel/random/boot_id";

    /// <summary>The identity of the current boot; empty when the system does not tell it.</summary>
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
