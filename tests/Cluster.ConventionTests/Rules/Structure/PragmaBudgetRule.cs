using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Structure;

/// <summary>At most one pragma or suppression per thousand production lines; a young project may have ten.</summary>
internal sealed class PragmaBudgetRule : IRule
{
    private const int LinesPerPragma = 1_000;
    private const int AlwaysAllowed = 10;

    public string Name => "pragma-budget";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var lineCount = repository.Production.Sum(source => source.Lines.Length);
        var pragmas =
            from source in repository.Production
            from line in source.Lines
            where line.Contains("#pragma warning disable", StringComparison.Ordinal)
                || line.Contains("[SuppressMessage", StringComparison.Ordinal)
            select source.Path;
        var budget = Math.Max(AlwaysAllowed, lineCount / LinesPerPragma);
        return pragmas.Skip(budget)
            .Select(path => new Violation(path, $"more than {budget} suppressions in the repository"));
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource(
            string.Concat(Enumerable.Repeat("#pragma warning disable CA1 // why\n", AlwaysAllowed + 1))),
    ];
}
