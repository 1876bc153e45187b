namespace Cluster.Nodes.Consul.Messages;

/// <summary>One step of a Consul transaction on one key, as Consul's JSON names it. Immutable.</summary>
/// <param name="Verb"><c>get</c>, <c>set</c>, <c>cas</c>, <c>lock</c>, <c>check-index</c> or
/// <c>check-session</c>.</param>
/// <param name="Key">The key.</param>
/// <param name="Value">The new contents.</param>
/// <param name="Index">The modification index that <c>cas</c> and <c>check-index</c> expect; zero for a key that must
/// not exist.</param>
/// <param name="Session">The session that <c>lock</c> gives the key to, or that <c>check-session</c> expects to hold
/// it.</param>
/// <param name="Flags">A number to write beside the contents.</param>
internal sealed record KeyValueOperation(
    string Verb, string Key, byte[]? Value = null, ulong? Index = null, string? Session = null,
    ulong? Flags = null)
{
    public static KeyValueOperation Get(string key) => new("get", key);

    public static KeyValueOperation Set(string key, byte[] value) => new("set", key, value);

    public static KeyValueOperation CompareAndSet(string key, byte[] value, ulong index, ulong? flags = null) =>
        new("cas", key, value, index, Flags: flags);

    public static KeyValueOperation CheckIndex(string key, ulong index) => new("check-index", key, Index: index);

    public static KeyValueOperation Lock(string key, byte[] value, string session) =>
        new("lock", key, value, Session: session);

    public static KeyValueOperation CheckSession(string key, string session) =>
        new("check-session", key, Session: session);
}
