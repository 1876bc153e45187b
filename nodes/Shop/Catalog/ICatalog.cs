using Cluster.Contracts;

namespace Shop.Catalog;

/// <summary>Answers questions about packages with graphs of objects. Every node serves it from its own live
/// graph.</summary>
public interface ICatalog
{
    /// <summary>Returns a package with the packages around it.</summary>
    /// <param name="package">The package's name.</param>
    /// <param name="dependentsFrom">The index in the list of dependents at which the answer starts. An index past the
    /// end continues at the start of the list.</param>
    /// <param name="cancellationToken">Ends the wait for the answer.</param>
    /// <returns>A graph with cycles, cut to a bounded size; <c>null</c> if there is no such package.</returns>
    [Idempotent]
    Task<Neighbourhood?> ExploreAsync(
        string package, int dependentsFrom, CancellationToken cancellationToken = default);

    /// <summary>Makes one package need another. Only the node that receives the call changes its graph.</summary>
    /// <param name="dependent">The name of the package that needs the other one.</param>
    /// <param name="target">The name of the package that is needed.</param>
    /// <param name="cancellationToken">Ends the wait for the answer.</param>
    /// <returns>Whether both packages exist.</returns>
    Task<bool> AddRequirementAsync(string dependent, string target, CancellationToken cancellationToken = default);
}
