using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Client;

/// <summary>A contract as one client calls it: description, serializer and methods. Immutable, one per client and
/// contract.</summary>
internal sealed class ClientContract
{
    private readonly Func<int> _nextGroupIndex;

    public ClientContract(ContractDescription description, ClientSettings settings, Func<int> nextGroupIndex)
    {
        _nextGroupIndex = nextGroupIndex;
        Description = description;
        Serializer = new ContractSerializer(description, settings.MaxMessageBytes, settings.ConfigureTypes);
        Methods = NewGroup(description.Methods).Methods;
    }

    public ContractDescription Description { get; }

    public ContractSerializer Serializer { get; }

    public ClientMethod[] Methods { get; }

    /// <summary>Creates a group of methods that are bound together.</summary>
    public MethodGroup NewGroup(ContractMethod[] methods) => new(this, _nextGroupIndex(), methods);
}
