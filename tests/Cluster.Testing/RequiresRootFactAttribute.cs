namespace Cluster.Testing;

/// <summary>A fact that changes the owner of files, which only the root user of a Unix system may do.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresRootFactAttribute()
    : RequiresFactAttribute(
        OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess
            ? null
            : "gives a file to another user; run it as root on Linux");
