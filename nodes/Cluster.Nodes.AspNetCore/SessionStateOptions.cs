using Cluster.Slim;
using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore;

/// <summary>What a typed value of sessions may contain, and what changes it. Read once, while the host is built, and
/// the same on every node.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public sealed class SessionStateOptions<T>
    where T : class
{
    private readonly HashSet<Type> _operations = [];

    internal SessionStateOptions()
    {
    }

    internal IReadOnlyCollection<Type> Operations => _operations;

    internal Action<SlimOptions>? Types { get; private set; }

    /// <summary>Allows an operation type. Those declared in the assembly of <typeparamref name="T"/> are allowed
    /// without this.</summary>
    /// <typeparam name="TOperation">Implements <see cref="IStateOperation{TState,TResult}"/> for
    /// <typeparamref name="T"/>.</typeparam>
    public SessionStateOptions<T> AllowOperation<TOperation>()
    {
        _operations.Add(typeof(TOperation));
        return this;
    }

    /// <summary>Adds to the closed list of types that values, operations, results and what operations throw may
    /// contain. <typeparamref name="T"/>, the operations and their results are on it already.</summary>
    /// <param name="configure">Adds types or codecs.</param>
    public SessionStateOptions<T> ConfigureTypes(Action<SlimOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        Types += configure;
        return this;
    }
}
