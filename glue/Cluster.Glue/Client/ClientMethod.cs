using Cluster.Glue.Faults;
using Cluster.Glue.Routes;
using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Client;

/// <summary>One method of a contract on the calling side, with everything that a call needs. Immutable but for the call
/// pool and the facts learned about servers.</summary>
internal abstract class ClientMethod(MethodGroup group, ContractMethod contract, ulong layoutFingerprint)
{
    private readonly Lazy<ValueCopier[]> _copiers = new(() => [.. contract.ArgumentTypes.Select(ValueCopier.Of)]);
    private bool _writesDescribed;

    /// <summary>The methods that are bound together with this one.</summary>
    public MethodGroup Group { get; } = group;

    public ClientContract Owner => Group.Owner;

    public ContractMethod Contract { get; } = contract;

    public ulong LayoutFingerprint { get; } = layoutFingerprint;

    /// <summary>Whether the result may hold objects or streams passed by reference.</summary>
    public bool ReturnsReferences =>
        Contract.HasResult && Owner.Serializer.ReachesReferences(Contract.ResultType);

    /// <summary>The type arguments of a closed generic method, by their names on the wire.</summary>
    public string[] TypeArguments { get; } = Array.ConvertAll(contract.TypeArguments, TypeText.Of);

    /// <summary>Whether messages have the same form for servers of all builds.</summary>
    public bool IsFixed { get; } = !contract.IsOpen && contract.IsFixed;

    /// <summary>Whether some server has another build: then messages describe their types from the first byte on.
    /// Servers of this build read those as well. Only ever set.</summary>
    public bool WritesDescribed
    {
        get => Volatile.Read(ref _writesDescribed);
        set => Volatile.Write(ref _writesDescribed, value);
    }

    /// <summary>Copies the arguments from one message into another, whose writer may describe types.</summary>
    public void CopyArguments(SlimMessageReader reader, SlimMessageWriter writer)
    {
        foreach (var copier in _copiers.Value)
            copier.Copy(reader, writer);
    }

    /// <summary>Decides about a server's difference: the refusal, or null when described messages bridge it.</summary>
    public GlueException? Judge(in BindResults.Difference difference, string address)
    {
        if (difference.IsRefused)
            return GlueErrors.MethodRefused(Contract, address, difference.Code, difference.Reason);
        return LearnResult(difference.Result) is { } obstacle
            ? GlueErrors.MethodRefused(Contract, address, GlueErrorCode.LayoutMismatch, obstacle)
            : null;
    }

    /// <summary>Notes that a server has another build. Returns why its results cannot be read, or null when they
    /// can.</summary>
    public string? LearnResult(byte[] description)
    {
        WritesDescribed = true;
        return Owner.Serializer.FindObstacle(Contract.ResultType, description) is { } obstacle
            ? $"The result of {Contract.DisplayName} cannot be read by the caller: {obstacle}"
            : null;
    }

    public static ClientMethod Create(MethodGroup group, ContractMethod contract)
    {
        if (contract.IsOpen)
            return new OpenClientMethod(group, contract);
        var type = typeof(ClientMethod<>).MakeGenericType(contract.ResultType);
        return (ClientMethod)Activator.CreateInstance(type, group, contract)!;
    }
}

/// <summary>A method with its result type: creates and recycles its calls.</summary>
internal sealed class ClientMethod<T> : ClientMethod
{
    private readonly CallPool<OutgoingCall<T>> _pool;

    public ClientMethod(MethodGroup group, ContractMethod contract)
        : base(group, contract, group.Owner.Serializer.FingerprintOf(contract)) =>
        _pool = new CallPool<OutgoingCall<T>>(() => new OutgoingCall<T>(this));

    public OutgoingCall<T> Begin(CallRoute route)
    {
        var call = _pool.Rent();
        call.Begin(route);
        return call;
    }

    public void Recycle(OutgoingCall<T> call) => _pool.Return(call);
}
