using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Liveness;

/// <summary>Where a node's liveness endpoint listens, and on which kernel: <c>host:port</c> or <c>host:port@kernel</c>.
/// The kernel's tag keeps a loopback address from being asked on another machine, where a refusal would prove nothing.
/// Immutable.</summary>
/// <param name="Host">A host name or an IP address without brackets.</param>
/// <param name="Port">The port.</param>
/// <param name="Kernel">The tag of the kernel, or an empty string.</param>
internal sealed record LivenessAddress(string Host, int Port, string Kernel)
{
    public bool IsLoopback =>
        string.Equals(Host, "localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(Host, out var address) && IPAddress.IsLoopback(address));

    /// <summary>Whether a member's liveness endpoint speaks over TLS: it does where its node does so with other
    /// nodes.</summary>
    public static bool IsEncrypted(ClusterMember member) =>
        (member.PeerAddress ?? member.Address).StartsWith(Uri.UriSchemeHttps + "://", StringComparison.Ordinal);

    public override string ToString()
    {
        // Another node has chosen host and kernel, and both are written into logs.
        var host = LogText.Clean(Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]" : Host);
        var place = string.Create(CultureInfo.InvariantCulture, $"{host}:{Port}");
        return Kernel.Length == 0 ? place : $"{place}@{LogText.Clean(Kernel)}";
    }

    /// <summary>Parses the text that another node has written into the table. Null: the text has another
    /// form.</summary>
    public static LivenessAddress? Parse(string text)
    {
        var at = text.IndexOf('@', StringComparison.Ordinal);
        var place = at < 0 ? text : text[..at];
        var colon = place.LastIndexOf(':');
        if (colon <= 0)
            return null;
        var host = place[..colon].Trim('[', ']');
        var isPort = int.TryParse(place[(colon + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out var port);
        if (host.Length == 0 || !isPort || port is < 1 or > ushort.MaxValue)
            return null;
        return new LivenessAddress(host, port, at < 0 ? "" : text[(at + 1)..]);
    }
}
