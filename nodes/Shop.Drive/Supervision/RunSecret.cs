using System.Security.Cryptography;
using Cluster.Nodes;

namespace Shop.Drive.Supervision;

/// <summary>The secret by which the processes of one run know each other when Consul keeps the cluster table. It lies
/// in the environment, where node processes inherit it. The file store keeps a secret by itself. Stateless.</summary>
internal static class RunSecret
{
    /// <summary>The environment variable that lets several runs share one cluster.</summary>
    public const string Variable = "SHOP_CLUSTER_SECRET";

    private const string OptionVariable = $"{ClusterOptions.SectionName}__{nameof(ClusterOptions.Secret)}";
    private const int RandomBytes = 32;

    /// <summary>Puts the secret into the environment, for this process and for those it starts from now on.</summary>
    public static void Share()
    {
        if (Environment.GetEnvironmentVariable(OptionVariable) is { Length: > 0 })
            return;
        var given = Environment.GetEnvironmentVariable(Variable);
        Environment.SetEnvironmentVariable(
            OptionVariable,
            string.IsNullOrEmpty(given) ? Convert.ToBase64String(RandomNumberGenerator.GetBytes(RandomBytes)) : given);
    }
}
