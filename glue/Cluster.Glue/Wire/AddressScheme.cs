namespace Cluster.Glue.Wire;

/// <summary>The schemes of addresses other than those of HTTP.</summary>
internal static class AddressScheme
{
    /// <summary>The name of a server in this process.</summary>
    public const string InProcess = "inproc";

    /// <summary>The path of a Unix domain socket.</summary>
    public const string Unix = "unix";
}
