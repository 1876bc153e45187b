using Cluster.Glue.Contracts;

namespace Cluster.Glue.Calls;

/// <summary>
/// One method of a contract on the calling side, with what a call needs at hand. Immutable but for the call pool.
/// </summary>
internal abstract class ClientMethod(MethodGroup group, ContractMethod contract, ulong layoutFingerprint)
{
    /// <summary>What it is bound together with.</summary>
    public MethodGroup Group { get; } = group;

    public ClientContract Owner => Group.Owner;

    public ContractMethod Contract { get; } = contract;

    public ulong LayoutFingerprint { get; } = layoutFingerprint;

    /// <summary>The type arguments of a closed generic method, as they are called on the wire.</summary>
    public string[] TypeArguments { get; } = Array.ConvertAll(contract.TypeArguments, TypeText.Of);

    public static ClientMethod Create(MethodGroup group, ContractMethod contract)
    {
        if (contract.IsOpen)
            return new OpenClientMethod(group, contract);
        Type type = typeof(ClientMethod<>).MakeGenericType(contract.ResultType);
        return (ClientMethod)Activator.CreateInstance(type, group, contract)!;
    }
}

/// <summary>A method with its result type: makes and recycles its calls.</summary>
internal sealed class ClientMethod<T> : ClientMethod
{
    private const int PooledCallsMax = 1024;

    private readonly CallPool<OutgoingCall<T>> _pool;

    public ClientMethod(MethodGroup group, ContractMethod contract)
        : base(group, contract, group.Owner.Serializer.FingerprintOf(contract))
        => _pool = new CallPool<OutgoingCall<T>>(() => new OutgoingCall<T>(this), PooledCallsMax);

    public OutgoingCall<T> Begin(CallRoute route)
    {
        OutgoingCall<T> call = _pool.Rent();
        call.Begin(route);
        return call;
    }

    public void Recycle(OutgoingCall<T> call) => _pool.Return(call);
}
