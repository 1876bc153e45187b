using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>No type is named Manager, Helper, Util, Processor, Info or Data. No folder is named Utils, Helpers, Common,
/// Base or Impl. No production type has the name of the last part of its namespace. The rule also applies to
/// tests.</summary>
internal sealed partial class NameRule : IRule
{
    private static readonly string[] BannedWords =
        ["Util", "Utils", "Utility", "Utilities", "Helper", "Helpers", "Manager", "Processor", "Info"];

    private static readonly string[] BannedFolders = ["Utils", "Helpers", "Common", "Base", "Impl"];

    public string Name => "names";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) => repository.Sources.SelectMany(CheckFile);

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("sealed class SessionManager;"),
        RepositorySnapshot.OfSource("sealed class FrameInfo;"),
        RepositorySnapshot.OfSource("sealed class FrameData;"),
        RepositorySnapshot.OfSource("namespace Cluster.Slim; sealed class Slim;"),
        RepositorySnapshot.Of(
            ("glue/Cluster.Glue/Cluster.Glue.csproj", "<Project/>"),
            ("glue/Cluster.Glue/Utils/Frame.cs", "sealed class Frame;")),
    ];

    private static IEnumerable<Violation> CheckFile(SourceFile source)
    {
        foreach (var folder in source.Folders.Where(folder => BannedFolders.Contains(folder)))
            yield return new Violation(source.Path, $"folder {folder} says nothing: name it by its role");

        foreach (var type in source.TopLevelTypes.Concat(source.Types).Distinct())
        {
            var name = SourceFile.NameOf(type);
            var words = Word().Matches(name).Select(match => match.Value).ToArray();
            if (words.Intersect(BannedWords).FirstOrDefault() is { } banned)
                yield return source.At(type, $"{name}: '{banned}' says nothing about the role");

            if (words is [.., "Data"])
                yield return source.At(type, $"{name}: the suffix 'Data' says nothing about the role");

            if (!source.Project.IsTestCode && name == source.Namespace?.Split('.')[^1])
                yield return source.At(type, $"{name} is named like its namespace: short references become ambiguous");
        }
    }

    [GeneratedRegex("[A-Z]+(?![a-z])|[A-Z][a-z0-9]*")]
    private static partial Regex Word();
}
