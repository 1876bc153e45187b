namespace Cluster.Nodes.Tests;

/// <summary>Tests that measure the process run when no others do.</summary>
[CollectionDefinition(nameof(RunsAlone), DisableParallelization = true)]
public sealed class RunsAlone;
