namespace Cluster.Nodes.Consul.Tests;

/// <summary>The tests that share one Consul server.</summary>
[CollectionDefinition(Name)]
public sealed class SharedConsul : ICollectionFixture<ConsulServerFixture>
{
    public const string Name = "one Consul server";
}
