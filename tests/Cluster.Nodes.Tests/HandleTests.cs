namespace Cluster.Nodes.Tests;

/// <summary>Tests that start processes, and tests for which a closed handle must be gone at once. They do not run side
/// by side: a process that is just being started holds all handles of this one until it runs its own program, and with
/// them locks and listening sockets that a test has closed meanwhile.</summary>
[CollectionDefinition(Name)]
public sealed class HandleTests
{
    public const string Name = "handles";
}
