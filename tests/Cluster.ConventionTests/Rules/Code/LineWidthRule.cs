using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Lines of production code have at most 120 columns.</summary>
internal sealed class LineWidthRule : IRule
{
    private const int WidthMax = 120;

    public string Name => "line-width";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Production
        from line in source.Lines.Index()
        where line.Item.Length > WidthMax
        select new Violation($"{source.Path}:{line.Index + 1}", $"{line.Item.Length} columns, at most {WidthMax}");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
        [RepositorySnapshot.OfSource("// " + new string('x', WidthMax))];
}
