using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary>Every type in code font in ARCHITECTURE.md exists, in this repository or in the platform.</summary>
internal sealed partial class ArchitectureNamesRule : IRule
{
    private const string PagePath = "ARCHITECTURE.md";

    public string Name => "architecture-names";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var ours = repository.Sources
            .SelectMany(source => source.TopLevelTypes.Concat(source.Types))
            .Select(SourceFile.NameOf)
            .ToHashSet();
        var lines = repository.Files.GetValueOrDefault(PagePath, "").Split('\n');
        return
            from line in lines.Index()
            from match in TypeName().Matches(line.Item)
            let name = match.Groups[1].Value
            where !ours.Contains(name) && !PlatformTypes.Contain(name)
            select new Violation($"{PagePath}:{line.Index + 1}", $"no type is named {name}");
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
        [RepositorySnapshot.Of((PagePath, "`NoSuchThing<T>` does it"))];

    // Matches `Name`, `Name<T>` and `Name.Member`, but not words in lower case, paths or project names.
    [GeneratedRegex(@"`([A-Z][A-Za-z0-9]+)(<[^`>]*>)?(\.[A-Za-z]+(\([^`]*\))?)?`(?<!`Cluster\.[A-Za-z.]+`)")]
    private static partial Regex TypeName();
}
