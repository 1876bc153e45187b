using System.Xml.Linq;

namespace Cluster.Testing;

/// <summary>The namespaces that the build imports into each file of a project, for tests that compile the sources of a
/// project themselves. Stateless.</summary>
public static class GlobalUsings
{
    // What the SDK imports where ImplicitUsings is enabled.
    private static readonly string[] OfSdk =
    [
        "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading",
        "System.Threading.Tasks",
    ];

    /// <summary>Gives the source of a file with one <c>global using</c> line for each namespace.</summary>
    /// <param name="project">The name of a project; one that this repository does not have imports nothing itself.</param>
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
