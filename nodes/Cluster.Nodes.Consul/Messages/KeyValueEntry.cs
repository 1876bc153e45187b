namespace Cluster.Nodes.Consul.Messages;

/// <summary>One key as Consul answers it. Immutable.</summary>
/// <param name="Key">The key.</param>
/// <param name="Value">Its contents; null where they are empty or were not asked for.</param>
/// <param name="ModifyIndex">Rises with each change of the key and is never used again.</param>
/// <param name="Session">The session that holds the key's lock, if any.</param>
/// <param name="Flags">A number that lies beside the contents and means nothing to Consul.</param>
internal sealed record KeyValueEntry(string Key, byte[]? Value, ulong ModifyIndex, string? Session, ulong Flags = 0);
