namespace Cluster.Nodes.Tests;

/// <summary>The collection of tests that start processes, and of tests that need a closed handle to be released at
/// once. They must not run at the same time: a process that is being started holds all handles of this process until it
/// runs its own program. Among them may be locks and listening sockets that a test has already closed.</summary>
[CollectionDefinition(Name)]
public sealed class HandleTests
{
    public const string Name = "handles";
}
