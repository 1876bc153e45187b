using Cluster.Testing.Stores;

namespace Cluster.SystemTests.Proxies;

/// <summary>On a class that inherits the suite of proxies: it is skipped, with the reason, where its program is
/// missing.</summary>
/// <param name="path">Of the program.</param>
/// <param name="package">Of Debian, which brings it.</param>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class RequiresProxyAttribute(string path, string package) : RequirementAttribute
{
    /// <inheritdoc />
    public override string? Missing => File.Exists(path) ? null : $"needs {path}: apt-get install {package}";
}
