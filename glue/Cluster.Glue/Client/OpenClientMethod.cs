using Cluster.Glue.Signatures;

namespace Cluster.Glue.Client;

/// <summary>A generic method on the calling side. Each closed form is a method of its own, created when the caller's
/// code first uses it. A concurrent dictionary protects itself; the code of the program bounds it.</summary>
internal sealed class OpenClientMethod(MethodGroup group, ContractMethod contract)
    : ClientMethod(group, contract, layoutFingerprint: 0)
{
    private readonly ConcurrentDictionary<Type, ClientMethod> _closed = new();

    /// <param name="key">Any generic type that is closed over the type arguments.</param>
    /// <exception cref="NotSupportedException">The closed method cannot be called remotely.</exception>
    public ClientMethod Close(Type key) =>
        _closed.TryGetValue(key, out var known) ? known : _closed.GetOrAdd(key, CreateClosed);

    private ClientMethod CreateClosed(Type key) =>
        Owner.NewGroup([Contract.Close(key.GetGenericArguments())]).Methods[0];
}
