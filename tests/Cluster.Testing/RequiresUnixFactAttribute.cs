namespace Cluster.Testing;

/// <summary>A fact that needs POSIX signals or file locks, as Linux and macOS have them.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresUnixFactAttribute()
    : RequiresFactAttribute(OperatingSystem.IsWindows() ? "needs POSIX signals; run it on Linux or macOS" : null);
