using Cluster.Glue.Contracts;

namespace Cluster.Glue.Serving;

/// <summary>One method on the serving side. Immutable.</summary>
internal sealed record ServedMethod(
    ServedContract Owner, ContractMethod Contract, CallInvoker Invoker, ulong LayoutFingerprint);
