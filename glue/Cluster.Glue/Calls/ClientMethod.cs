using Cluster.Glue.Contracts;

namespace Cluster.Glue.Calls;

/// <summary>
/// One method of a contract on the calling side, with what a call needs at hand. Immutable but for the call pool.
/// </summary>
internal abstract class ClientMethod(ClientContract owner, ContractMethod contract)
{
    public ClientContract Owner { get; } = owner;

    public ContractMethod Contract { get; } = contract;

    public ulong LayoutFingerprint { get; } = owner.Serializer.FingerprintOf(contract);

    public static ClientMethod Create(ClientContract owner, ContractMethod contract)
        => (ClientMethod)Activator.CreateInstance(
            typeof(ClientMethod<>).MakeGenericType(contract.ResultType), owner, contract)!;
}

/// <summary>A method with its result type: makes and recycles its calls.</summary>
internal sealed class ClientMethod<T> : ClientMethod
{
    private const int PooledCallsMax = 1024;

    private readonly CallPool<OutgoingCall<T>> _pool;

    public ClientMethod(ClientContract owner, ContractMethod contract)
        : base(owner, contract)
        => _pool = new CallPool<OutgoingCall<T>>(() => new OutgoingCall<T>(this), PooledCallsMax);

    public OutgoingCall<T> Begin(CallRoute route)
    {
        OutgoingCall<T> call = _pool.Rent();
        call.Begin(route);
        return call;
    }

    public void Recycle(OutgoingCall<T> call) => _pool.Return(call);
}
