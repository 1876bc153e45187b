using System.Security.Cryptography;
using Cluster.Nodes;

namespace Shop.Drive.Supervision;

/// <summary>The secret that the processes of one run share when Consul keeps the cluster table. It is an environment
/// variable, which node processes inherit. The file store keeps its own secret. Stateless.</summary>
internal static class RunSecret
{
    /// <summary>The environment variable with a given secret, so that several runs can share one cluster.</summary>
    public const string Variable = "SHOP_CLUSTER_SECRET";

    private const string OptionVariable = $"{ClusterOptions.SectionName}__{nameof(ClusterOptions.Secret)}";
    private const int RandomBytes = 32;

    /// <summary>Sets the environment variable of the secret, for this process and for the processes that it starts
    /// later.</summary>
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
