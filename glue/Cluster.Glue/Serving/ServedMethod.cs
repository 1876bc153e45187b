using Cluster.Glue.Contracts;

namespace Cluster.Glue.Serving;

/// <summary>One method on the serving side. Immutable.</summary>
/// <param name="Owner">The contract.</param>
/// <param name="Contract">The method's description.</param>
/// <param name="Invoker">The code that calls it.</param>
/// <param name="LayoutFingerprint">What its types are like here.</param>
/// <param name="IsDescribed">Answers describe their types, because the caller is of another build.</param>
internal sealed record ServedMethod(
    ServedContract Owner,
    ContractMethod Contract,
    CallInvoker Invoker,
    ulong LayoutFingerprint,
    bool IsDescribed = false)
{
    /// <summary>What answers are written by.</summary>
    public ContractSerializer Answers { get; } = IsDescribed ? Owner.Serializer.Described : Owner.Serializer;

    /// <summary>The method for callers of another build.</summary>
    public ServedMethod Describe() => new(Owner, Contract, Invoker, LayoutFingerprint, IsDescribed: true);
}
