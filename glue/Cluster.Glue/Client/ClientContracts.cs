using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Client;

/// <summary>The contracts that one client, or one server with callbacks, calls. One lock protects them; groups of
/// methods are numbered atomically.</summary>
internal sealed class ClientContracts(ClientSettings settings)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<Type, ClientContract> _contracts = [];
    private int _groupCount;

    public ClientSettings Settings => settings;

    public ClientContract Of(ContractDescription description)
    {
        lock (_gate)
        {
            if (!_contracts.TryGetValue(description.Type, out var contract))
            {
                contract = new ClientContract(description, settings, NextGroupIndex);
                _contracts.Add(description.Type, contract);
            }

            return contract;
        }
    }

    private int NextGroupIndex() => Interlocked.Increment(ref _groupCount) - 1;
}
