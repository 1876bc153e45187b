namespace Cluster.SystemTests.Nodes;

/// <summary>The tests that count what this process allocates. No other test of the process runs beside
/// them.</summary>
[CollectionDefinition(nameof(RunsAlone), DisableParallelization = true)]
public sealed class RunsAlone;
