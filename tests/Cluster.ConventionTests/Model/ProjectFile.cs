using System.Xml.Linq;

namespace Cluster.ConventionTests.Model;

/// <summary>One project file; immutable.</summary>
internal sealed class ProjectFile(string path, string text)
{
    private readonly XElement _root = XElement.Parse(text);

    public string Path => path;

    public string Name => System.IO.Path.GetFileNameWithoutExtension(path);

    public string Folder => System.IO.Path.GetDirectoryName(path)!.Replace('\\', '/');

    public bool IsTestCode => path.StartsWith("tests/", StringComparison.Ordinal);

    public bool IsTestProject => Property("IsTestProject") == "true";

    /// <summary>The names of the referenced projects.</summary>
    public IEnumerable<string> References => Items("ProjectReference")
        .Select(include => System.IO.Path.GetFileNameWithoutExtension(include.Replace('\\', '/')));

    public IEnumerable<string> Items(string kind) =>
        _root.Descendants(kind).Select(item => (string?)item.Attribute("Include") ?? "");

    public string? Property(string name) => _root.Descendants(name).FirstOrDefault()?.Value;
}
