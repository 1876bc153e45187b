using Cluster.Glue.Client;
using Cluster.Glue.Emission;
using Cluster.Glue.References;
using Cluster.Glue.Routes;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Catalog;

/// <summary>The contracts of callbacks that one client or server uses: how they are called, and how they are served.
/// Grows with the types of the program, never with messages of a peer. Thread-safe.</summary>
internal sealed class CallbackContracts(ServerSettings serving, ClientContracts calling)
{
    private readonly ConcurrentDictionary<Type, Lazy<ServedContract>> _served = new();
    private readonly ConcurrentDictionary<string, ServedContract> _byName = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<ulong, ServedMethod> _byHash = new();

    /// <summary>Allows calls of objects by a contract from now on.</summary>
    /// <exception cref="NotSupportedException">A member cannot be called remotely; the message names it.</exception>
    public void Serve(Type contract) =>
        _ = _served.GetOrAdd(contract, type => new Lazy<ServedContract>(() => CreateServed(type))).Value;

    /// <summary>A contract by which an object of this side can be called.</summary>
    public ServedContract? FindServed(string[] names) =>
        names.Select(name => _byName.GetValueOrDefault(name)).FirstOrDefault(contract => contract is not null);

    /// <summary>A method of these contracts, by the hash of its signature.</summary>
    public ServedMethod? FindMethod(ulong signatureHash) => _byHash.GetValueOrDefault(signatureHash);

    /// <summary>Creates the proxy of an object of a peer.</summary>
    public object CreateProxy(CallbackReference reference, ICallChannel channel)
    {
        var contract = calling.Of(ContractDescription.Of(reference.Contract));
        var route = new CallbackRoute(calling.Settings, reference, channel);
        return ProxyEmitter.Create(contract.Description, route, contract.Methods);
    }

    private ServedContract CreateServed(Type type)
    {
        var registration = new ServiceRegistration(type, type, GlueInstanceMode.Singleton);
        var contract = new ServedContract(registration, serving) { IsCallback = true };
        foreach (var method in contract.Methods)
            _byHash[method.Contract.SignatureHash] = method;
        _byName[contract.Description.Name] = contract;
        return contract;
    }
}
