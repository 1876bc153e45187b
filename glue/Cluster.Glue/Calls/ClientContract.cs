using Cluster.Glue.Contracts;

namespace Cluster.Glue.Calls;

/// <summary>
/// A contract as one client calls it: description, serializer and methods. Immutable, one per client and contract.
/// </summary>
internal sealed class ClientContract
{
    public ClientContract(ContractDescription description, ClientSettings settings, int index)
    {
        Description = description;
        Index = index;
        Serializer = new ContractSerializer(description, settings.MessageBytesMax, settings.ConfigureTypes);
        Methods = Array.ConvertAll(description.Methods, method => ClientMethod.Create(this, method));
    }

    public ContractDescription Description { get; }

    /// <summary>Small number, unique in the client: where links keep the contract's handles.</summary>
    public int Index { get; }

    public ContractSerializer Serializer { get; }

    public ClientMethod[] Methods { get; }
}
