using Cluster.Glue.Contracts;

namespace Cluster.Glue.Calls;

/// <summary>
/// Methods that are bound together and get handles that follow each other: those of a contract, or one closed form of a
/// generic method. Immutable.
/// </summary>
internal sealed class MethodGroup
{
    public MethodGroup(ClientContract owner, int index, ContractMethod[] methods)
    {
        Owner = owner;
        Index = index;
        FirstMethodIndex = methods.Length == 0 ? 0 : methods[0].Index;
        Methods = Array.ConvertAll(methods, method => ClientMethod.Create(this, method));
    }

    public ClientContract Owner { get; }

    /// <summary>Small number, unique in the client: where links keep the group's handles.</summary>
    public int Index { get; }

    /// <summary>The index in the contract of the method that gets the first handle.</summary>
    public int FirstMethodIndex { get; }

    public ClientMethod[] Methods { get; }
}
