namespace Cluster.ConventionTests.Model;

/// <summary>One convention. <c>RuleTests</c> finds every implementation and checks the repository with it. It also
/// checks the rule's own counterexamples, because a check that cannot fail is a defect. Stateless.</summary>
internal interface IRule
{
    /// <summary>The name of the rule in the list of exceptions.</summary>
    string Name { get; }

    /// <summary>Finds all violations of the rule.</summary>
    /// <param name="repository">The repository to check.</param>
    IEnumerable<Violation> Check(RepositorySnapshot repository);

    /// <summary>Made-up repositories. Each of them violates the rule.</summary>
    IEnumerable<RepositorySnapshot> Counterexamples();
}
