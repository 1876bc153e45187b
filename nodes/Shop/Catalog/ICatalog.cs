namespace Shop.Catalog;

/// <summary>Answers questions about packages with graphs of objects. Every node serves it from a live graph of its
/// own.</summary>
public interface ICatalog
{
    /// <summary>A package with the packages around it.</summary>
    /// <param name="package">Its name.</param>
    /// <param name="dependentsFrom">Where in the list of its dependents the answer starts; wraps around.</param>
    /// <param name="cancellationToken">Ends the wait for the answer.</param>
    /// <returns>A graph with cycles, cut to a bounded size; <c>null</c> when there is no such package.</returns>
    Task<Neighbourhood?> ExploreAsync(
        string package, int dependentsFrom, CancellationToken cancellationToken = default);

    /// <summary>Lets one package need another from now on, on the node that takes the call.</summary>
    /// <param name="dependent">The name of the package that needs.</param>
    /// <param name="target">The name of the package that is needed.</param>
    /// <param name="cancellationToken">Ends the wait for the answer.</param>
    /// <returns>Whether both packages exist.</returns>
    Task<bool> AddRequirementAsync(string dependent, string target, CancellationToken cancellationToken = default);
}
