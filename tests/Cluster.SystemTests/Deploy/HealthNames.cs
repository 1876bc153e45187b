namespace Cluster.SystemTests.Deploy;

/// <summary>The services for which probes ask.</summary>
internal static class HealthNames
{
    public const string Live = "cluster-live";
    public const string Ready = "cluster-ready";
}
