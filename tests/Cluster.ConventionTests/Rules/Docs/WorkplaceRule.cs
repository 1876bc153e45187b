using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>No file names the machine on which it was written: no absolute paths of work folders and homes, no package
/// mirrors, and no lock files that resolve to another registry than the public one.</summary>
internal sealed partial class WorkplaceRule : IRule
{
    private const string PublicRegistry = "https://registry.npmjs.org/";

    public string Name => "workplace";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
    [
        .. from file in repository.Files
           from line in file.Value.Split('\n').Index()
           where Machine().IsMatch(line.Item) || IsForeignRegistry(line.Item)
           select new Violation($"{file.Key}:{line.Index + 1}", "names a machine, a home or a package mirror"),
        .. from path in repository.Files.Keys
           where Path.GetFileName(path).ToUpperInvariant() is "NUGET.CONFIG" or ".NPMRC" or "PIP.CONF"
           select new Violation(path, "package sources are the machine's business"),
    ];

    // The forbidden texts are split into parts: otherwise this file would violate its own rule.
    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of(("docs/a.md", "see /wo" + "rk/main")),
        RepositorySnapshot.Of(("docs/a.md", "run /ro" + "ot/.dotnet/dotnet")),
        RepositorySnapshot.Of(("docs/a.md", "in /ho" + "me/someone/src")),
        RepositorySnapshot.Of(("tests/a/package-lock.json", "\"resolved\": \"https://mirror.example/npm/a.tgz\"")),
        RepositorySnapshot.Of(("NuGet.config", "<configuration/>")),
    ];

    private static bool IsForeignRegistry(string line) => Resolved().Match(line) is { Success: true } match
        && !match.Groups[1].Value.StartsWith(PublicRegistry, StringComparison.Ordinal);

    [GeneratedRegex(@"(?<![\w.~$}])/(work|root|home/\w+|Users/\w+)/")]
    private static partial Regex Machine();

    [GeneratedRegex("\"resolved\": *\"(https?://[^\"]+)\"")]
    private static partial Regex Resolved();
}
