namespace Cluster.SystemTests.Faults;

/// <summary>The scenarios run one after the other, because each one needs the whole machine.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class FaultSequence
{
    public const string Name = "faults";
}
