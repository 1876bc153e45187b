using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Hosting;

/// <summary>The parts of the address that a listener binds. Immutable.</summary>
internal sealed record ListenAddress(string Host, IPAddress Ip, int Port)
{
    /// <summary>The path of a Unix domain socket; null: TCP.</summary>
    public string? Path { get; private init; }

    public bool IsTls { get; private init; }

    public static bool TryParse(string text, [NotNullWhen(true)] out ListenAddress? address)
    {
        address = null;
        if (text.StartsWith(AddressScheme.Unix + "://", StringComparison.Ordinal))
        {
            var path = Uri.TryCreate(text, UriKind.Absolute, out var unix) ? UnixSocket.PathOf(unix) : null;
            address = path is null ? null : new ListenAddress("localhost", IPAddress.Loopback, 0) { Path = path };
            return address is not null;
        }

        // Uri does not accept an asterisk as a host.
        var isAny = text.Contains("://*", StringComparison.Ordinal) || text.Contains("://+", StringComparison.Ordinal);
        var parseable = isAny
            ? text.Replace("://*", "://0.0.0.0", StringComparison.Ordinal)
                .Replace("://+", "://0.0.0.0", StringComparison.Ordinal)
            : text;
        if (!Uri.TryCreate(parseable, UriKind.Absolute, out var uri))
            return false;
        if (uri.Scheme is not ("http" or "https") || uri.AbsolutePath != "/")
            return false;
        var ip = uri.DnsSafeHost == "localhost" ? IPAddress.Loopback : null;
        if (ip is null && !IPAddress.TryParse(uri.DnsSafeHost, out ip))
            return false;
        // Uri hides whether port 80 was written. Both spellings mean port 80.
        address = new ListenAddress(uri.Host, ip, uri.Port) { IsTls = uri.Scheme == "https" };
        return true;
    }
}
