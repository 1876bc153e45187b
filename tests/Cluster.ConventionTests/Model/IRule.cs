namespace Cluster.ConventionTests.Model;

/// <summary>One convention. <c>RuleTests</c> finds every implementation, checks the repository with it, and feeds it
/// its own counterexamples, because a check that cannot fail is a defect. Stateless.</summary>
internal interface IRule
{
    /// <summary>The name, as entries of the exceptions list use it.</summary>
    string Name { get; }

    /// <summary>Every breach.</summary>
    /// <param name="repository">What to check.</param>
    IEnumerable<Violation> Check(RepositorySnapshot repository);

    /// <summary>Made-up repositories, each of which breaks the rule.</summary>
    IEnumerable<RepositorySnapshot> Counterexamples();
}
