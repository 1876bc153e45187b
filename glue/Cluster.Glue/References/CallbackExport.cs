using Cluster.Glue.Signatures;

namespace Cluster.Glue.References;

/// <summary>An object that the peer may call, by the contracts under which it was exported. Protected by one
/// lock.</summary>
internal sealed class CallbackExport(ulong id, object value) : Export(id, value)
{
    private readonly Lock _gate = new();
    private readonly HashSet<Type> _contracts = [];

    public void Allow(Type contract)
    {
        lock (_gate)
            _contracts.Add(contract);
    }

    public bool Allows(ContractDescription contract)
    {
        lock (_gate)
            return _contracts.Contains(contract.Type);
    }
}
