using System.Xml.Linq;

namespace Cluster.Testing;

/// <summary>The namespaces that the build imports into each file of a project. Used by tests that compile the sources
/// of a project themselves. Stateless.</summary>
public static class GlobalUsings
{
    // The namespaces that the SDK imports if ImplicitUsings is enabled.
    private static readonly string[] OfSdk =
    [
        "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading",
        "System.Threading.Tasks",
    ];

    /// <summary>Returns the source of a file with one <c>global using</c> line for each namespace.</summary>
    /// <param name="project">The name of a project. A project that is not in this repository has no imports of its
    /// own.</param>
    public static string Of(string project)
    {
        var root = RepositoryFolder.Path;
        var files = Directory.GetDirectories(root)
            .Select(folder => Path.Combine(folder, project, $"{project}.csproj"))
            .Where(File.Exists)
            .Prepend(Path.Combine(root, "Directory.Build.props"));
        var imported = files
            .SelectMany(file => XDocument.Load(file).Descendants("Using"))
            .SelectMany(use => use.Attribute("Include")!.Value.Split(';'));
        return string.Concat(OfSdk.Concat(imported).Select(name => $"global using {name};\n"));
    }
}
