using Cluster.Glue.References;

namespace Cluster.Glue.Client;

/// <summary>The arguments of a call that may be attempted several times, as they were when the call began.
/// Immutable.</summary>
/// <param name="Bytes">The serialized arguments.</param>
/// <param name="IsDescribed">They describe their types.</param>
/// <param name="FirstBox">The arguments themselves, where nothing was serialized.</param>
/// <param name="References">Objects and streams that are passed by reference; null: none. Only one call can take them
/// over.</param>
internal sealed record CallArguments(
    byte[] Bytes, bool IsDescribed, ArgumentBox? FirstBox, OutgoingReferences? References);
