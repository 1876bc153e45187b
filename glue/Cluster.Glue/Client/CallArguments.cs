using Cluster.Glue.References;

namespace Cluster.Glue.Client;

/// <summary>The arguments of a call that several attempts may be made of, as they were when it began.
/// Immutable.</summary>
/// <param name="Bytes">Serialized.</param>
/// <param name="IsDescribed">They describe their types.</param>
/// <param name="FirstBox">As they are, where nothing was serialized.</param>
/// <param name="References">What is passed by reference; null: nothing. Only one call can take it over.</param>
internal sealed record CallArguments(
    byte[] Bytes, bool IsDescribed, ArgumentBox? FirstBox, OutgoingReferences? References);
