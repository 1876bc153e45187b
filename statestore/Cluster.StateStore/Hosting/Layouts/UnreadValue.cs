namespace Cluster.StateStore.Hosting.Layouts;

/// <summary>The bytes of a value whose layout this process did not know when they came. Immutable.</summary>
/// <param name="Bytes">The bytes.</param>
/// <param name="Version">The version of the value.</param>
internal sealed record UnreadValue(byte[] Bytes, StateVersion Version);
