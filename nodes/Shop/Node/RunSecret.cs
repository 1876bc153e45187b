using System.Security.Cryptography;
using Cluster.Glue;

namespace Shop.Node;

/// <summary>
/// The secret by which the processes of one run of the sample know each other where Consul keeps the table: the front
/// makes it, and its node processes inherit it in their environment. The file store keeps one by itself. Made once.
/// </summary>
internal static class RunSecret
{
    /// <summary>The environment variable; set it to let several runs share one cluster.</summary>
    public const string Variable = "SHOP_CLUSTER_SECRET";

    private const int RandomBytes = 32;

    private static readonly Lazy<GlueSecret> Made = new(Find);

    public static GlueSecret Value => Made.Value;

    /// <summary>Puts the secret into the environment that processes started from now on inherit.</summary>
    public static void ShareWithChildren() => _ = Made.Value;

    private static GlueSecret Find()
    {
        if (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } given)
            return new GlueSecret(given);
        var text = Convert.ToBase64String(RandomNumberGenerator.GetBytes(RandomBytes));
        Environment.SetEnvironmentVariable(Variable, text);
        return new GlueSecret(text);
    }
}
