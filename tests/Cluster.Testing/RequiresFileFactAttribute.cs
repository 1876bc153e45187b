namespace Cluster.Testing;

/// <summary>A fact that needs a program or file at a fixed path, such as the system's own Python.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresFileFactAttribute(string path)
    : RequiresFactAttribute(File.Exists(path) ? null : $"needs {path}, which is not on this machine")
{
    /// <summary>The file that must exist.</summary>
    public string Path => path;
}
