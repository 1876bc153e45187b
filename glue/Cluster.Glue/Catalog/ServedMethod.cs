using Cluster.Glue.Authorization;
using Cluster.Glue.Serving;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Catalog;

/// <summary>One method on the serving side. Immutable.</summary>
/// <param name="Owner">The contract.</param>
/// <param name="Contract">The method's description.</param>
/// <param name="Invoker">The code that calls it.</param>
/// <param name="LayoutFingerprint">A hash of the layouts of its types on this side.</param>
/// <param name="IsDescribed">Answers describe their types, because the caller has another build.</param>
internal sealed record ServedMethod(
    ServedContract Owner,
    ContractMethod Contract,
    CallInvoker Invoker,
    ulong LayoutFingerprint,
    bool IsDescribed = false)
{
    private readonly Lazy<MethodShape> _shape = new(() => new MethodShape(Contract));

    /// <summary>The serializer of answers.</summary>
    public ContractSerializer Answers { get; } = IsDescribed ? Owner.Serializer.Described : Owner.Serializer;

    /// <summary>Whether it runs on the thread that reads a connection; null: never.</summary>
    public InlineRun? Inline { get; private init; } = InlineRun.Of(Owner.Registration, Contract.Method);

    /// <summary>Who may call it; null: everybody.</summary>
    public MethodAccess? Access { get; private init; } = MethodAccess.Of(Owner.Registration, Contract);

    /// <summary>Its arguments and result in the form that filters see.</summary>
    public MethodShape Shape => _shape.Value;

    /// <summary>The method in the form for callers of another build.</summary>
    public ServedMethod Describe() =>
        new(Owner, Contract, Invoker, LayoutFingerprint, IsDescribed: true) { Inline = Inline, Access = Access };
}
