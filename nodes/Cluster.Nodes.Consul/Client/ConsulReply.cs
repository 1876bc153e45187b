namespace Cluster.Nodes.Consul.Client;

/// <summary>An answer of Consul. Immutable.</summary>
/// <param name="Status">The HTTP status.</param>
/// <param name="Index">The index to wait on, or zero where Consul named none.</param>
/// <param name="Body">The answer.</param>
internal readonly record struct ConsulReply(HttpStatusCode Status, ulong Index, byte[] Body)
{
    public bool IsSuccess => Status is HttpStatusCode.OK;

    /// <summary>The answer as text, cut for a message.</summary>
    public string Quote() => LogText.Clean(Encoding.UTF8.GetString(Body).Trim(), ConsulLimits.QuoteLengthMax);

    public bool Says(ReadOnlySpan<byte> words) => Body.AsSpan().IndexOf(words) >= 0;
}
