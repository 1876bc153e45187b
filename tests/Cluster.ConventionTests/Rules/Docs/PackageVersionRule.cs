using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>Pages that reference our packages name the version of Directory.Build.props, which all packages
/// have.</summary>
internal sealed partial class PackageVersionRule : IRule
{
    private const string PropsPath = "Directory.Build.props";

    public string Name => "package-version";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var version = Prefix().Match(repository.Files.GetValueOrDefault(PropsPath, "")).Groups[1].Value;
        return
            from page in repository.Pages
            from line in page.Value.Split('\n').Index()
            from match in Reference().Matches(line.Item)
            let named = match.Groups[1].Value
            where named != version
            select new Violation($"{page.Key}:{line.Index + 1}", $"names version {named}; {PropsPath} has {version}");
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of(
            (PropsPath, "<VersionPrefix>0.2.0</VersionPrefix>"),
            ("README.md", "<PackageReference Include=\"Cluster.Nodes\" Version=\"0.1.0\" />")),
        RepositorySnapshot.Of(
            (PropsPath, "<VersionPrefix>0.2.0</VersionPrefix>"),
            ("docs/a.md", "run dotnet new install Cluster.Templates@0.1.0")),
    ];

    [GeneratedRegex("<VersionPrefix>([^<]+)</VersionPrefix>")]
    private static partial Regex Prefix();

    [GeneratedRegex("""\bCluster\.[\w.]+(?:" Version="|@)(\d[\w.-]*)""")]
    private static partial Regex Reference();
}
