namespace Cluster.Glue.Wire;

/// <summary>The schemes of addresses that are not of HTTP.</summary>
internal static class AddressScheme
{
    /// <summary>A server of this process, by its name.</summary>
    public const string InProcess = "inproc";

    /// <summary>A Unix domain socket, by its path.</summary>
    public const string Unix = "unix";
}
