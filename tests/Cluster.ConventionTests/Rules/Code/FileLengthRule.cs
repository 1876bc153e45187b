using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Production files have at most 500 lines, test files 700.</summary>
internal sealed class FileLengthRule : IRule
{
    private const int ProductionMax = 500;
    private const int TestMax = 700;

    public string Name => "file-length";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) => repository.Sources
        .Select(source => (source, Max: source.Project.IsTestCode ? TestMax : ProductionMax))
        .Where(entry => LineCount(entry.source) > entry.Max)
        .Select(entry => new Violation(
            entry.source.Path, $"{LineCount(entry.source)} lines, at most {entry.Max}: extract a noun"));

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
        [RepositorySnapshot.OfSource(string.Concat(Enumerable.Repeat("// line\n", ProductionMax + 1)))];

    private static int LineCount(SourceFile source) => source.Lines.Length - (source.Lines[^1].Length == 0 ? 1 : 0);
}
