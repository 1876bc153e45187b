using Cluster.Testing.Stores;

namespace Cluster.SystemTests.Proxies;

/// <summary>Marks a class that inherits the suite of proxies: its facts are skipped, with the reason, if the program is
/// missing.</summary>
/// <param name="path">The path of the program.</param>
/// <param name="package">The package of Debian that contains the program.</param>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class RequiresProxyAttribute(string path, string package) : RequirementAttribute
{
    /// <inheritdoc />
    public override string? Missing => File.Exists(path) ? null : $"needs {path}: apt-get install {package}";
}
