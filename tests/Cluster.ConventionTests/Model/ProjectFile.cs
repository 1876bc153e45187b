using System.Xml.Linq;

namespace Cluster.ConventionTests.Model;

/// <summary>One project file; immutable.</summary>
internal sealed class ProjectFile(string path, string text)
{
    private readonly XElement _root = XElement.Parse(text);

    internal string Path => path;

    internal string Name => System.IO.Path.GetFileNameWithoutExtension(path);

    internal string Folder => System.IO.Path.GetDirectoryName(path)!.Replace('\\', '/');

    internal bool IsTestCode => path.StartsWith("tests/", StringComparison.Ordinal);

    internal bool IsTestProject => Property("IsTestProject") == "true";

    /// <summary>Names of the referenced projects.</summary>
    internal IEnumerable<string> References => Items("ProjectReference")
        .Select(include => System.IO.Path.GetFileNameWithoutExtension(include.Replace('\\', '/')));

    internal IEnumerable<string> Items(string kind) =>
        _root.Descendants(kind).Select(item => (string?)item.Attribute("Include") ?? "");

    internal string? Property(string name) => _root.Descendants(name).FirstOrDefault()?.Value;
}
